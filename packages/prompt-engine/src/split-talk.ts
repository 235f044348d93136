import { asTalk, type ChatMessage, type Stored, soundUntil, type ToolCall, textOf } from '@x/core';
import type { Report } from './prompt-context.js';

export interface Talk {
  readonly history: readonly Stored[];
  /** The turn that is being answered; empty when there is nothing to answer. */
  readonly current: readonly Stored[];
}

/**
 * Parts what was said before from what is being answered: the input, and without one the newest message of the user,
 * with the calls and results after it. A call without its result, a result without its call and a system message are
 * left out, but for a summary that another system stored as one.
 *
 * @param isSound - The caller knows that nothing has to be left out.
 */
export function splitTalk(messages: readonly ChatMessage[], input: Stored | undefined, report: Report, isSound = false): Talk {
  const history = (isSound ? messages : sound(messages, report)) as readonly Stored[];
  if (input !== undefined) return { history, current: [input] };
  let start = history.length - 1;
  while (start >= 0 && history[start]?.role !== 'user') start -= 1;
  const current = history.slice(Math.max(0, start));
  const [first, ...rest] = current;
  // Notes hold on to the message they stand before by its id.
  const named = first === undefined || first.id !== undefined ? current : [{ ...first, id: `turn-${Math.max(0, start)}` }, ...rest];
  return { history: history.slice(0, Math.max(0, start)), current: named };
}

/** @returns The same list when nothing had to be left out. */
function sound(messages: readonly ChatMessage[], report: Report): readonly ChatMessage[] {
  if (soundUntil(messages) === messages.length) return messages;
  const taken: ChatMessage[] = [];
  let left = 0;
  let systems = 0;
  let summaries = 0;
  for (let at = 0; at < messages.length; at += 1) {
    const given = messages[at]!;
    const message = given.role === 'developer' ? undefined : asTalk(given);
    if (message === undefined) {
      systems += 1;
      continue;
    }
    if (message !== given) summaries += 1;
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
    if (message.role === 'tool') left += 1;
    if (message.role === 'tool' || calls.length === 0) {
      if (message.role !== 'tool') taken.push(message === given ? message : { origin: 'synthetic', ...message });
      continue;
    }
    const results = new Map<string, ChatMessage>();
    for (; messages[at + 1]?.role === 'tool'; at += 1) {
      const id = messages[at + 1]!.tool_call_id ?? '';
      if (results.has(id) || !calls.some((call) => call.id === id)) left += 1;
      else results.set(id, messages[at + 1]!);
    }
    const answered = calls.filter(({ id }, index) => results.has(id) && calls.findIndex((call) => call.id === id) === index);
    left += calls.length - answered.length;
    const kept = withCalls(message, calls, answered);
    if (kept) taken.push(kept, ...results.values());
  }
  if (systems > 0) {
    const message = `${systems} system messages of the history were left out: a request has one, at its start. Give them as systemPrompts.`;
    report('history_system_left_out', 'warning', message, { left: systems });
  }
  if (left > 0) report('history_unpaired', 'error', `${left} calls without a result or results without a call were left out.`, { left });
  return left + systems + summaries === 0 ? messages : taken;
}

function withCalls(message: ChatMessage, calls: readonly ToolCall[], answered: readonly ToolCall[]): ChatMessage | undefined {
  if (answered.length === calls.length) return message;
  const { tool_calls: _calls, ...said } = message;
  if (answered.length > 0) return { ...said, tool_calls: answered };
  return textOf(message) === '' ? undefined : said;
}
