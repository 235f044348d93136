import type { ToolSpec } from '@x/core';
import type { ScriptedCall } from '../script.js';
import type { Prompt } from './read-prompt.js';
import { contentWordsOf, overlapOf, stemOf, wordsOf } from './sentences.js';
import { isSupport, supportMatter } from './support-matter.js';

/** The tools that the newest text clearly asks for, with arguments read from it. None once a tool has run in this turn. */
export function chooseCalls(prompt: Prompt): readonly ScriptedCall[] {
  if (prompt.steps.length > 0 || prompt.user === '') return [];
  const memory = prompt.tools.find((tool) => tool.name === 'memory');
  const kept = memory ? memoryCalls(memory, prompt) : [];
  if (kept.length > 0 || prompt.savesFirst) return kept;
  const others = prompt.tools.filter((tool) => !OWN_WAYS.has(tool.name));
  const next = nextStep(prompt);
  return others.flatMap((tool) => (isAskedFor(tool, prompt.user) || isNamedIn(tool, next) ? callOf(tool, prompt.user) : []));
}

/** What a support persona does next, where this message gave the last thing that was missing. */
function nextStep(prompt: Prompt): string {
  if (!isSupport(prompt)) return '';
  const { topic, given, missing } = supportMatter(prompt);
  return topic !== undefined && given.size > 0 && missing.length === 0 ? topic.next : '';
}

function isNamedIn(tool: ToolSpec, text: string): boolean {
  const stems = new Set(wordsOf(text).map(stemOf));
  const words = nameWordsOf(tool);
  return words.length > 1 && words.every((word) => stems.has(stemOf(word)));
}

/** Tools that are called for reasons of their own, never because a text sounds like them. */
const OWN_WAYS: ReadonlySet<string> = new Set(['memory', 'heartbeat_ok', 'adapt_personality']);

function memoryCalls(tool: ToolSpec, { user, memory, history, savesFirst }: Prompt): readonly ScriptedCall[] {
  const call = (fields: object): ScriptedCall => ({ name: tool.name, arguments: { ...fields } });
  const target = (text: string): object =>
    /\b(?:my|me|i|i['’]m|i am)\b/i.test(text) && propertiesOf(tool)['target'] ? { target: 'user' } : {};
  // Before old turns leave, whatever is worth keeping is in what the user said.
  if (savesFirst) {
    const lines = history.filter((line) => line.role === 'user').flatMap((line) => line.text.split(/(?<=[.!?])\s+|\n/));
    const facts = lines.filter((line) =>
      /\b(?:my \w+ (?:is|are)|i (?:prefer|like|use|work|live|am called)|call me|remember)\b/i.test(line),
    );
    const fresh = [...new Set(facts)].filter((fact) => !memory.some((known) => overlapOf(known.text, fact) > 0.8));
    return fresh.slice(0, 5).map((fact) => call({ action: 'add', text: fact.trim(), ...target(fact) }));
  }
  if (/\?\s*$/.test(user.trim()) && !/\b(?:can|could|would|will) you\b/i.test(user)) return [];
  const forget = /\bforget (?:about |that |what i said about )?(.{3,})/i.exec(user)?.[1];
  if (forget && !/\bdon['’]?t forget|do not forget\b/i.test(user)) {
    const known = memory.map(({ text, from }) => ({ text, from, share: overlapOf(text, forget) })).sort((a, b) => b.share - a.share)[0];
    return known && known.share >= 0.5
      ? [call({ action: 'remove', text: known.text, ...(known.from === 'user' && { target: 'user' }) })]
      : [];
  }
  const add =
    /\b(?:remember|don['’]?t forget|do not forget|keep in mind|make a note|note down|take a note|write down)\b(?: that| this|:| of)?[,:]?\s*(.{3,})/is.exec(
      user,
    )?.[1];
  if (!add || /\b(?:do you|can you|you) remember\b/i.test(user)) return [];
  const text = add
    .replace(/^(?:please|that)\s+/i, '')
    .replace(/[?.!\s]+$/, '')
    .trim();
  return [call({ action: 'add', text: `${text.charAt(0).toUpperCase()}${text.slice(1)}.`, ...target(text) })];
}

function callOf(tool: ToolSpec, user: string): readonly ScriptedCall[] {
  const args = argumentsFor(tool, user);
  return args === undefined ? [] : [{ name: tool.name, arguments: args }];
}

function isAskedFor(tool: ToolSpec, user: string): boolean {
  const nameWords = nameWordsOf(tool);
  const stems = new Set(wordsOf(user).map(stemOf));
  const written = user.toLowerCase();
  if (written.includes(tool.name.toLowerCase()) && /[_-]/.test(tool.name)) return true;
  const ordered = /\b(?:use|call|run|execute|invoke|ask|let|have|try)\b/i.test(user) || /\?|^(?:please\s+)?\w+/i.test(user);
  if (ordered && nameWords.length > 0 && nameWords.every((word) => stems.has(stemOf(word)))) return true;
  if (/\d\s*[+]\s*\d/.test(user) && /add|sum|calc/i.test(tool.name)) return true;
  const chosen = Object.values(propertiesOf(tool)).some((property) =>
    (property.enum ?? []).some((value) => typeof value === 'string' && value.length > 3 && stems.has(stemOf(value.toLowerCase()))),
  );
  if (chosen && /\b(?:ask|let|have|delegate|use)\b/i.test(user)) return true;
  const shared = contentWordsOf(tool.description).filter((word) => stems.has(stemOf(word)));
  return shared.length >= 2 && overlapOf(tool.description, user) >= 0.6;
}

function nameWordsOf({ name }: ToolSpec): readonly string[] {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_-]+/);
  return words.filter((word) => !/^(?:get|fetch|do|the|tool|run|lookup|find|look|up)$/.test(word) || words.length === 1);
}

interface Property {
  readonly type?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly items?: { readonly type?: unknown } | undefined;
}

function propertiesOf({ inputSchema }: ToolSpec): { readonly [name: string]: Property } {
  return (inputSchema as { properties?: { readonly [name: string]: Property } } | undefined)?.properties ?? {};
}

/** Arguments for every required field, and others that the text gives; `undefined` when a required one is not in it. */
function argumentsFor(tool: ToolSpec, user: string): { readonly [name: string]: unknown } | undefined {
  const required = new Set((tool.inputSchema as { required?: readonly string[] } | undefined)?.required ?? []);
  const numbers = (user.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
  const quotes = [...user.matchAll(/["“`]([^"”`]+)["”`]|(?<!\p{L})'([^']+)'/gu)].map((match) => match[1] ?? match[2] ?? '');
  const args: { [name: string]: unknown } = {};
  for (const [name, property] of Object.entries(propertiesOf(tool))) {
    const value = valueFor(name, property, { user, tool, numbers, quotes, required: required.has(name) });
    if (value !== undefined) args[name] = value;
    else if (required.has(name)) return undefined;
  }
  return args;
}

interface Sources {
  readonly user: string;
  readonly tool: ToolSpec;
  readonly numbers: number[];
  readonly quotes: string[];
  readonly required: boolean;
}

function valueFor(name: string, property: Property, { user, tool, numbers, quotes, required }: Sources): unknown {
  if (property.enum) return property.enum.find((value) => new RegExp(`\\b${String(value).replace(/\W/g, '.')}\\b`, 'i').test(user));
  const spoken = new RegExp(`\\b${name.replace(/[_-]/g, '[ _-]?')}\\s*(?:is|=|:|to|of|named)?\\s+([\\p{L}\\p{N}@._/-]+)`, 'iu').exec(
    user,
  )?.[1];
  switch (property.type) {
    case 'number':
    case 'integer':
      return numbers.shift();
    case 'boolean':
      return required ? true : undefined;
    case 'array':
      if (property.items?.type === 'number' || property.items?.type === 'integer') return numbers.splice(0);
      return quotes.length > 0 ? quotes.splice(0) : undefined;
    case 'string': {
      const quoted = quotes.shift();
      if (quoted !== undefined) return quoted;
      if (!required) return spoken;
      const place = /\b(?:in|for|of|at|about|from|named|called)\s+((?:\p{Lu}[\p{L}'’-]*\s?)+)/u.exec(user)?.[1]?.trim();
      return place ?? spoken ?? restOf(user, tool);
    }
    default:
      return undefined;
  }
}

// What is left of the text without the words that only say which tool is meant.
function restOf(user: string, tool: ToolSpec): string | undefined {
  const skip = new Set(nameWordsOf(tool).map(stemOf));
  const rest = user
    .replace(/^(?:please\s+)?(?:can|could|would) you\s+/i, '')
    .split(/\s+/)
    .filter((word) => !skip.has(stemOf(word.toLowerCase().replace(/\W/g, ''))) && word.toLowerCase() !== tool.name.toLowerCase())
    .join(' ')
    .replace(/^(?:please|use|call|run|the|tool|to|for|with|and|a|an|:|,|\s)+\b/i, '')
    .replace(/[?.!\s]+$/, '')
    .trim();
  return rest === '' ? undefined : rest;
}
