import type { ITool, ToolResult } from '@x/core';
import { itemKey } from './checklist.js';
import { normalise } from './normalise.js';

export interface DoneToolOptions {
  /** The open items of the checklist as this beat read it. */
  readonly items: readonly string[];
  /** Writes down that the item of this key is done; false when the beat is no longer this process's. */
  readonly mark: (key: string) => Promise<boolean>;
}

// What comes again by its own words is not done for good, whatever a model says.
const REPEATS =
  /\b(?:every|each|daily|hourly|nightly|weekly|monthly|yearly|always|whenever|regularly|periodically|once (?:an?|per|every)|(?:week)?days|nights|mornings|afternoons|evenings|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b/i;

/** The tool by which a model ticks off a task of the checklist that was meant for one time. One for each beat. */
export function createDoneTool({ items, mark }: DoneToolOptions): ITool<unknown> {
  return {
    name: 'heartbeat_done',
    description:
      'Ticks off a task of HEARTBEAT.md for good, so that no later heartbeat does it again. Call it once a task that was meant for one time is done; never for a task that comes again.',
    inputSchema: {
      type: 'object',
      properties: { item: { type: 'string', description: 'Words that stand in this task and in no other.' } },
      required: ['item'],
      additionalProperties: false,
    },
    repeat: 'idempotent',
    async execute(args): Promise<ToolResult> {
      const { item } = (typeof args === 'object' && args !== null ? args : {}) as { readonly item?: unknown };
      const found = itemsWith(items, typeof item === 'string' ? item : '');
      const [only] = found;
      if (only === undefined) return refusal(`No open task has these words. Open are:${listed(items)}`);
      if (found.length > 1) return refusal(`${found.length} tasks have these words. Give more of them:${listed(found)}`);
      if (REPEATS.test(only)) return refusal(`This task repeats, so it stays: ${only}`);
      if (!(await mark(itemKey(only)))) return refusal('This heartbeat is over, or another process took it over. Nothing was ticked off.');
      return `Done for good: ${only}`;
    },
  };
}

function itemsWith(items: readonly string[], wanted: string): readonly string[] {
  const folded = (text: string): string =>
    normalise(text, { fold: true })
      .text.trim()
      .replace(/^(?:[-*+]|\d{1,9}[.)])\s+|^\[ \]\s*/g, '')
      .replace(/[\s.!;,]+$/, '');
  const needle = folded(wanted);
  if (needle === '') return [];
  const exact = items.filter((item) => folded(item) === needle);
  return exact.length > 0 ? exact.slice(0, 1) : items.filter((item) => folded(item).includes(needle));
}

const listed = (items: readonly string[]): string => items.map((item) => `\n- ${item}`).join('');
const refusal = (output: string): ToolResult => ({ output, isError: true });
