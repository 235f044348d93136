import { textOf } from '@x/core';
import type { ScriptedCall, ScriptedReply } from '../script.js';
import type { Prompt, Remembered } from './read-prompt.js';
import { contentWordsOf, shortened, stemOf } from './sentences.js';

/** Whether the newest text is a beat and not a person's. */
export function isBeat({ user }: Prompt): boolean {
  return /\bheartbeat(?:_ok|\.md)?\b/i.test(user) && !/\?\s*$/.test(user.trim());
}

/**
 * Answers a beat: does what the checklist makes due, and else stays silent, by the tool `heartbeat_ok` when it is
 * offered and by the word HEARTBEAT_OK when not.
 */
export function answerBeat(prompt: Prompt): ScriptedReply {
  const calls = prompt.steps.flatMap((step) => step.tool_calls ?? []);
  if (calls.some((call) => call.function.name === 'heartbeat_ok')) return { text: 'HEARTBEAT_OK' };
  const merge = nextMerge(prompt);
  if (merge) return { toolCalls: [merge] };
  const results = prompt.steps.filter((step) => step.role === 'tool').map(textOf);
  if (results.length > 0)
    return {
      text: `I tidied my notes: ${calls.length === 1 ? 'one entry' : `${calls.length} entries`} said twice. ${shortened(results.join(' '), 160)}`,
    };
  const due = prompt.checklist.flatMap((line) => dueOf(line, prompt));
  if (due.length > 0) return { text: due.join('\n') };
  return prompt.tools.some((tool) => tool.name === 'heartbeat_ok') ? { toolCalls: [{ name: 'heartbeat_ok' }] } : { text: 'HEARTBEAT_OK' };
}

// “If two entries say the same thing, merge them”: the poorer one of two notes with nearly the same words goes.
function nextMerge({ checklist, memory, tools, steps, user }: Prompt): ScriptedCall | undefined {
  const wanted = [...checklist, user].some((line) => /\b(?:same thing|say the same|duplicate|twice|merge|tidy)\b/i.test(line));
  if (!wanted || !tools.some((tool) => tool.name === 'memory')) return undefined;
  const tried = JSON.stringify(steps.flatMap((step) => step.tool_calls ?? []).map((call) => call.function.arguments));
  const open = memory.filter(({ text, from }) => from !== 'imprint' && !tried.includes(JSON.stringify(JSON.stringify(text)).slice(1, -1)));
  for (const [index, first] of open.entries()) {
    for (const second of open.slice(index + 1)) {
      if (first.from !== second.from || likeness(first.text, second.text) < 0.75) continue;
      const [poorer, richer] = first.text.length <= second.text.length ? [first, second] : [second, first];
      return { name: 'memory', arguments: removalOf(poorer, richer.text) };
    }
  }
  return undefined;
}

// The words of the poorer entry may also stand inside the richer one; a line as it is in the file names one entry only.
function removalOf({ text, from }: Remembered, richer: string): { readonly [field: string]: string } {
  return { action: 'remove', text: richer.includes(text) ? `- ${text}\n` : text, ...(from === 'user' && { target: 'user' }) };
}

function likeness(first: string, second: string): number {
  const a = new Set(contentWordsOf(first).map(stemOf));
  const b = new Set(contentWordsOf(second).map(stemOf));
  const both = [...a].filter((word) => b.has(word)).length;
  return both / Math.max(1, new Set([...a, ...b]).size);
}

// A line is due when it is a plain order to say something, or names an hour that it is now. What was said stays said.
function dueOf(line: string, prompt: Prompt): readonly string[] {
  if (/HEARTBEAT_OK/i.test(line) || /^on (?:a|each|every) heartbeat\b/i.test(line) || /^\[x\]/i.test(line)) return [];
  const order = /\b(remind|say|tell|report|wish|announce|mention|send)\b\s*(.*)$/i.exec(line);
  if (!order) return [];
  const hour = hourIn(line);
  const conditional = /^(?:if|when|unless|after|at|in)\b/i.test(line) && hour === undefined;
  if (conditional || (hour !== undefined && hour !== nowIn(prompt))) return [];
  const matter = (order[2] ?? '')
    .replace(/^(?:me|the user|them|us|owner)\s+(?:about|of|that|to)?\s*/i, '')
    .replace(/["“”.]+/g, '')
    .trim();
  const text = /remind/i.test(order[1] ?? '') ? `Reminder: ${matter}.` : `${matter.charAt(0).toUpperCase()}${matter.slice(1)}.`;
  return prompt.history.some((said) => said.role === 'assistant' && said.text.includes(text)) ? [] : [text];
}

function hourIn(text: string): number | undefined {
  const half = /\b(\d{1,2})(?::\d{2})?\s*(am|pm)\b/i.exec(text);
  if (half) return (Number(half[1]) % 12) + (half[2]?.toLowerCase() === 'pm' ? 12 : 0);
  const clock = /\b(\d{1,2})(?::\d{2}|\s*h\b)/i.exec(text);
  return clock ? Number(clock[1]) : undefined;
}

// The beat says “It is Monday, 2026-03-02, 15:00”; else a note has the time.
function nowIn({ notes, user }: Prompt): number | undefined {
  const said = /\bit is\b[^\n]*/i.exec(user)?.[0] ?? notes.get('time') ?? '';
  const iso = /T(\d{2})\b/.exec(said)?.[1];
  return iso === undefined ? hourIn(said.replace(/\d{4}-\d{2}-\d{2}/, '')) : Number(iso);
}
