import {
  callIdOfPart,
  callsIn,
  type Fields,
  isCallItem,
  isResultItem,
  type MessageTraits,
  questionsIn,
  resultIdOfPart,
  shapeOf,
  traitsOf,
} from './dialect.js';
import { OpenCalls } from './open-calls.js';

/** What stands in for a result that never came. */
const NO_RESULT = 'Error: no result. The call was interrupted before it was answered.';

export interface Repaired<M> {
  readonly messages: readonly M[];
  /** Calls closed, results dropped, results moved; 0 means that `messages` is the list that was given. */
  readonly repairs: number;
}

/**
 * Makes every call have exactly one result, directly behind it, and every result its call. A call without one is closed
 * with an error result, but for one at the end about which a human was asked; a result without its call is dropped, and
 * the text beside it stays.
 *
 * @param isOver - True for a piece of a conversation that went on: nobody waits at its end.
 */
export function repairPairs<M extends object>(messages: readonly M[], { isOver = false }: { readonly isOver?: boolean } = {}): Repaired<M> {
  const output: M[] = [];
  let repairs = 0;
  let index = 0;
  while (index < messages.length) {
    const message = messages[index]!;
    const { calls, results } = traitsOf(message);
    if (calls.length === 0) {
      const kept = results.length === 0 ? message : keepResults(message, () => false);
      if (kept !== message) repairs += 1;
      if (kept) output.push(kept);
      index += 1;
      continue;
    }
    const end = endOfGroup(messages.length, index, (at) => traitsOf(messages[at]!));
    const group = messages.slice(index, end);
    const waiting = end === messages.length && !isOver ? group.flatMap(questionsIn) : [];
    const mended = isWhole(group, waiting) ? group : mend(group, waiting);
    if (mended !== group) repairs += 1;
    for (const one of mended) output.push(one);
    index = end;
  }
  return repairs === 0 ? { messages, repairs } : { messages: output, repairs };
}

/**
 * Past the end of the group that starts with a call at `start`: the call, all its results, and what stands between them.
 * A new assistant message or a user who says something ends a group whose results are missing.
 */
export function endOfGroup(length: number, start: number, traitsAt: (index: number) => MessageTraits): number {
  const { calls: first } = traitsAt(start);
  if (first.length === 1 && start + 1 < length) {
    const { calls, results } = traitsAt(start + 1);
    if (calls.length === 0 && results.length === 1 && results[0] === first[0]) return start + 2;
  }
  const open = new OpenCalls();
  for (const id of first) open.add(id);
  let last = start;
  for (let index = start + 1; index < length && open.size > 0; index += 1) {
    const { role, calls, results, speaks, origin, glued } = traitsAt(index);
    const answers = results.some((id) => open.has(id));
    if (!answers && (role === 'assistant' || (speaks && origin !== 'synthetic'))) break;
    for (const id of results) open.close(id);
    for (const id of calls) open.add(id);
    if (answers || calls.length > 0 || (glued && role === 'tool')) last = index;
  }
  return last + 1;
}

function isWhole<M extends object>(group: readonly M[], waiting: readonly string[]): boolean {
  const open = new OpenCalls();
  let answering = false;
  for (const message of group) {
    const { calls, results, glued } = traitsOf(message);
    if (calls.length > 0 && answering && open.size > 0) return false;
    if (calls.length === 0 && results.length === 0 && !glued) return false;
    for (const id of results) if (!open.close(id)) return false;
    answering = results.length > 0;
    for (const id of calls) if (!open.add(id)) return false;
  }
  for (const id of waiting) open.close(id);
  return open.size === 0;
}

function mend<M extends object>(group: readonly M[], waiting: readonly string[]): readonly M[] {
  const open = new OpenCalls();
  const callers: M[] = [];
  for (const message of group) {
    const { calls, glued } = traitsOf(message);
    const caller = calls.length > 0 ? keepCalls(message, (id) => !calls.includes(id) || open.add(id)) : glued ? message : undefined;
    if (caller) callers.push(caller);
  }
  const answers: M[] = [];
  const notes: M[] = [];
  for (const message of group) {
    const { calls, results, glued } = traitsOf(message);
    if (results.length > 0) {
      const kept = keepResults(message, (id) => !results.includes(id) || open.close(id));
      if (kept) answers.push(kept);
    } else if (calls.length === 0 && !glued) notes.push(message);
  }
  for (const id of waiting) open.close(id);
  return [...callers, ...closing(callers, open.ids(), answers), ...notes];
}

/** The results of a group, with an error result for each of the calls `ids`. */
function closing<M extends object>(callers: readonly M[], ids: readonly string[], answers: readonly M[]): readonly M[] {
  if (ids.length === 0) return answers;
  const shape = shapeOf(callers.find((message) => traitsOf(message).calls.length > 0) ?? {});
  if (shape === 'chat')
    return [...answers, ...ids.map((id) => made<M>({ role: 'tool', ...(id && { tool_call_id: id }), content: NO_RESULT }))];
  if (shape === 'responses') {
    const typeOf = (id: string) => (callers.find((message) => (message as Fields)['call_id'] === id) as Fields | undefined)?.['type'];
    const result = (id: string) => made<M>({ type: `${typeOf(id) ?? 'function_call'}_output`, call_id: id, output: NO_RESULT });
    return [...answers, ...ids.map(result)];
  }
  const names = new Map(callers.flatMap((message) => callsIn(message).map((call) => [call.id, call.name] as const)));
  const parts = ids.map((id) =>
    shape === 'anthropic'
      ? { type: 'tool_result', tool_use_id: id, content: NO_RESULT, is_error: true }
      : { type: 'tool-result', toolCallId: id, toolName: names.get(id) ?? '', output: { type: 'error-text', value: NO_RESULT } },
  );
  const [first, ...rest] = answers;
  if (first === undefined) return [made<M>({ role: shape === 'anthropic' ? 'user' : 'tool', content: parts })];
  return [{ ...first, content: [...parts, ...((first as Fields)['content'] as unknown[])] }, ...rest];
}

function made<M>(message: Fields): M {
  return message as M;
}

/** The message with only the results that `keep` accepts; `undefined` when nothing is left of it. */
function keepResults<M extends object>(message: M, keep: (id: string) => boolean): M | undefined {
  const { content, role, tool_call_id, call_id } = message as Fields;
  if (isResultItem(message)) return keep(typeof call_id === 'string' ? call_id : '') ? message : undefined;
  if (!Array.isArray(content) || !content.some((part) => resultIdOfPart(part) !== undefined)) {
    return role === 'tool' && !keep(typeof tool_call_id === 'string' ? tool_call_id : '') ? undefined : message;
  }
  const parts = content.filter((part: unknown) => {
    const id = resultIdOfPart(part);
    return id === undefined || keep(id);
  });
  if (parts.length === content.length) return message;
  return parts.length === 0 ? undefined : { ...message, content: parts };
}

/** The message with only the calls that `keep` accepts; `undefined` when it was nothing but a call. */
function keepCalls<M extends object>(message: M, keep: (id: string) => boolean): M | undefined {
  const { content, tool_calls, call_id } = message as Fields;
  if (isCallItem(message)) return keep(typeof call_id === 'string' ? call_id : '') ? message : undefined;
  const changed: { tool_calls?: unknown[]; content?: unknown[] } = {};
  if (Array.isArray(tool_calls)) {
    const kept = tool_calls.filter((call: unknown) => keep(String((call as Fields | null)?.['id'] ?? '')));
    if (kept.length < tool_calls.length) changed.tool_calls = kept;
  }
  if (Array.isArray(content)) {
    const kept = content.filter((part: unknown) => {
      const id = callIdOfPart(part);
      return id === undefined || keep(id);
    });
    if (kept.length < content.length) changed.content = kept;
  }
  return changed.tool_calls || changed.content ? { ...message, ...changed } : message;
}
