import { type Json, ownValue } from '@x/core';
import type { Report } from './prompt-context.js';

const VERBOSITY: readonly (readonly [words: readonly string[], line: string])[] = [
  [['low', 'brief', 'concise', 'short', 'minimal'], 'The user prefers short, concise answers.'],
  [['medium', 'balanced', 'normal', 'default', 'moderate'], 'The user prefers balanced answers of middle length.'],
  [['high', 'verbose', 'detailed', 'comprehensive', 'thorough'], 'The user prefers detailed answers.'],
];
const FORMATS: readonly string[] = [
  'bullet points',
  'bullets',
  'list',
  'numbered list',
  'markdown',
  'markdown table',
  'table',
  'plain text',
  'paragraphs',
  'json',
  'yaml',
  'xml',
  'html',
  'csv',
  'code',
  'step by step',
  'outline',
];

/**
 * Guidance from a user's preferences: `verbosity`, and the first of `preferredFormat`, `responseFormat`, `format` and
 * `preferredFormats` that is given. Users write these values, so only words of a fixed list pass; others are reported.
 */
export function preferenceLines(preferences: { readonly [key: string]: Json }, report: Report): readonly string[] {
  const read = (key: string): Json | undefined => ownValue(preferences, key);
  const lines: string[] = [];
  const ignore = (preference: string): void =>
    report('preference_ignored', 'info', `The preference ${preference} has no effect: its value is not on the list.`, {
      preference,
    });
  const verbosity = read('verbosity');
  if (verbosity !== undefined) {
    const found = VERBOSITY.find(([words]) => words.includes(normal(verbosity)));
    if (found === undefined) ignore('verbosity');
    else lines.push(found[1]);
  }
  const key = ['preferredFormat', 'responseFormat', 'format', 'preferredFormats'].find((name) => read(name) !== undefined);
  if (key !== undefined) {
    const value = read(key);
    const wanted = (Array.isArray(value) ? value : [value ?? '']).map(normal);
    const known = wanted.filter((format) => FORMATS.includes(format));
    if (known.length < wanted.length) ignore(key);
    if (known.length > 0) lines.push(`The user prefers this form of answer: ${known.join(' or ')}.`);
  }
  return lines;
}

function normal(value: Json): string {
  return typeof value === 'string'
    ? value
        .trim()
        .toLowerCase()
        .replace(/[\s_-]+/g, ' ')
    : '';
}
