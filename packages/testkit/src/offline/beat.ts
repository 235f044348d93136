import { textOf } from '@x/core';
import type { ScriptedCall, ScriptedReply } from '../script.js';
import type { Prompt } from './read-prompt.js';
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
  const done = prompt.steps.filter((step) => step.role === 'tool').map(textOf);
  const calls = prompt.steps.flatMap((step) => step.tool_calls ?? []).map((call) => call.function.name);
  if (calls.includes('heartbeat_ok')) return { text: 'HEARTBEAT_OK' };
  if (done.length > 0) return { text: `Tidied up: ${shortened(done.join(' '), 200)}` };
  const merge = mergeOf(prompt);
  if (merge) return { toolCalls: [merge] };
  const due = prompt.checklist.flatMap((line) => dueOf(line, prompt));
  if (due.length > 0) return { text: due.join('\n') };
  return prompt.tools.some((tool) => tool.name === 'heartbeat_ok') ? { toolCalls: [{ name: 'heartbeat_ok' }] } : { text: 'HEARTBEAT_OK' };
}

// “If two entries say the same thing, merge them”: the poorer one of two notes with nearly the same words goes.
function mergeOf({ checklist, memory, tools }: Prompt): ScriptedCall | undefined {
  const wanted = checklist.some((line) => /\b(?:same thing|duplicate|twice|merge|fold|tidy)\b/i.test(line));
  if (!wanted || !tools.some((tool) => tool.name === 'memory')) return undefined;
  for (const [index, first] of memory.entries()) {
    for (const second of memory.slice(index + 1)) {
      if (likeness(first, second) < 0.75) continue;
      const [poorer, richer] = first.length <= second.length ? [first, second] : [second, first];
      return {
        name: 'memory',
        arguments:
          richer.includes(poorer) && richer !== poorer ? { action: 'replace', text: poorer, with: '' } : { action: 'remove', text: poorer },
      };
    }
  }
  return undefined;
}

function likeness(first: string, second: string): number {
  const a = new Set(contentWordsOf(first).map(stemOf));
  const b = new Set(contentWordsOf(second).map(stemOf));
  const both = [...a].filter((word) => b.has(word)).length;
  return both / Math.max(1, new Set([...a, ...b]).size);
}

// A line is due when it is a plain order to say something, or names an hour that it is now. What was said stays said.
function dueOf(line: string, prompt: Prompt): readonly string[] {
  if (/HEARTBEAT_OK/i.test(line) || /^on (?:a|each|every) heartbeat\b/i.test(line)) return [];
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
  const clock = /\b(?:at|after|from|by)?\s*(\d{1,2})(?::\d{2}|\s*h\b)/i.exec(text);
  if (clock) return Number(clock[1]);
  const half = /\b(\d{1,2})\s*(am|pm)\b/i.exec(text);
  return half ? (Number(half[1]) % 12) + (half[2]?.toLowerCase() === 'pm' ? 12 : 0) : undefined;
}

function nowIn({ notes, user }: Prompt): number | undefined {
  const said = notes.get('time') ?? /\b(?:now|time)\b[^\n]*/i.exec(user)?.[0] ?? '';
  const iso = /T(\d{2})\b/.exec(said)?.[1];
  return iso === undefined ? hourIn(said) : Number(iso);
}
