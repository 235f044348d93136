import { type ModelEvent, ModelStreamCutError, type Usage } from '@x/core';
import { createCallAssembler } from './assemble-calls.js';
import { errorInAnswer } from './failure-of.js';
import type { Wire } from './provider-rows.js';
import {
  type AnswerReader,
  countOf,
  type Fields,
  finishOf,
  isFailureWord,
  isFields,
  isKeepAlive,
  parseFields,
  settledFinish,
  whyNotRun,
} from './read-answer.js';
import { plausibleUsage, type UsageBounds } from './read-usage.js';
import { joinDetails, type KeptThinking } from './remember-reasoning.js';
import { createTagSplitter, type Piece } from './think-tags.js';

export interface OpenAIReaderOptions {
  /** Such as `openai/gpt-4o-mini`, for errors. */
  readonly where: string;
  readonly wire: Wire;
  readonly bounds: Omit<UsageBounds, 'answered'>;
  readonly createId: () => string;
  readonly needsArguments: (tool: string) => boolean;
  /** Names of the tools that were offered. */
  readonly known: ReadonlySet<string>;
  /** Called with what an answer that calls tools thought, and what stood beside its calls. */
  readonly remember: (callIds: readonly string[], thinking: KeptThinking) => void;
}

/** Makes a reader of one answer in OpenAI's Chat Completions format and the many dialects of it. */
export function createOpenAIReader({ where, wire, bounds, createId, needsArguments, known, remember }: OpenAIReaderOptions): AnswerReader {
  const calls = createCallAssembler({ createId, needsArguments, known });
  const splitter = wire.reasoningTags === 'none' ? undefined : createTagSplitter(wire.reasoningTags);
  let counts: Usage = {};
  let said: ReturnType<typeof finishOf>;
  let isDone = false;
  let hasText = false;
  let hasThoughtField = false;
  let reasoning = '';
  const pieces: Fields[] = [];

  const text = (value: string, isThought = false): readonly ModelEvent[] => {
    if (value === '') return [];
    if (splitter === undefined) return isThought ? thought(value) : spoken(value);
    return splitter.push(value).flatMap((piece) => heard(piece, isThought));
  };
  // What has a field of its own does not count again between tags.
  const heard = ({ kind, text }: Piece, isThought = false): readonly ModelEvent[] =>
    kind === 'text' && !isThought ? spoken(text) : hasThoughtField && !isThought ? [] : thought(text);
  const spoken = (value: string): readonly ModelEvent[] => {
    hasText = true;
    return [{ type: 'text-delta', text: value }];
  };
  const thought = (value: string): readonly ModelEvent[] => {
    if (value === '') return [];
    reasoning += value;
    return [{ type: 'reasoning-delta', text: value }];
  };
  const delta = (fields: Fields): readonly ModelEvent[] => {
    const events: ModelEvent[] = [];
    const aloud = [fields['reasoning_content'], fields['reasoning'], fields['thinking']].find(
      (value) => typeof value === 'string' && value !== '',
    );
    if (typeof aloud === 'string') {
      hasThoughtField = true;
      events.push(...thought(aloud));
    }
    if (wire.reasoningReplay === 'details-with-calls' && Array.isArray(fields['reasoning_details']))
      for (const one of fields['reasoning_details']) if (isFields(one)) pieces.push(one);
    const { content, refusal } = fields;
    if (typeof content === 'string') events.push(...text(content, isMarkedThought(fields)));
    else if (Array.isArray(content)) {
      for (const part of content) {
        if (!isFields(part)) continue;
        if (part['type'] === 'thinking') events.push(...thought(textIn(part['thinking'])));
        else events.push(...text(textIn(part['text'])));
      }
    }
    if (typeof refusal === 'string' && refusal !== '') {
      said = 'refused';
      events.push(...text(refusal));
    }
    const { tool_calls: called, function_call: old } = fields;
    const listed = Array.isArray(called) ? called.filter(isFields) : isFields(called) && isFields(called['function']) ? [called] : [];
    for (const call of listed) addCall(call);
    // The form that the field above took the place of: some servers still answer in it, others fill both, or this one with nothing.
    if (listed.length === 0 && isFields(old) && (old['name'] || old['arguments'])) addCall({ index: 0, function: old });
    return events;
  };
  const addCall = (call: Fields): void => {
    const called = isFields(call['function']) ? call['function'] : {};
    calls.add({
      index: countOf(call['index']),
      id: typeof call['id'] === 'string' ? call['id'] : undefined,
      name: typeof called['name'] === 'string' ? called['name'] : undefined,
      arguments: called['arguments'],
      extra: isFields(call['extra_content']) ? call['extra_content'] : undefined,
    });
  };
  // Some end a stream with the whole answer once more: of that counts what has not come yet.
  const unsaid = (message: Fields): Fields => ({
    ...message,
    ...(hasText && { content: '', refusal: '' }),
    ...(reasoning !== '' && { reasoning_content: '', reasoning: '', thinking: '' }),
    ...(pieces.length > 0 && { reasoning_details: [] }),
    ...(!calls.isEmpty() && { tool_calls: [], function_call: undefined }),
  });
  const chunk = (fields: Fields): readonly ModelEvent[] => {
    const failure = fields['error'] || (isErrorItself(fields) ? fields : undefined);
    if (failure) throw errorInAnswer(where, failure);

    const choices = Array.isArray(fields['choices']) ? fields['choices'] : [];
    const choice = choices.find((one) => isFields(one) && (one['index'] === undefined || one['index'] === 0));
    // Moonshot counts in the choice, Groq in a field of its own.
    for (const told of [fields, choice, fields['x_groq']])
      if (isFields(told) && isFields(told['usage'])) counts = later(counts, countsIn(told['usage']));
    if (!isFields(choice)) return [];
    if (choice['error']) throw errorInAnswer(where, choice['error']);
    if (isFailureWord(choice['finish_reason'])) throw errorInAnswer(where, { code: choice['finish_reason'] });
    const message = choice['delta'] ?? choice['message'];
    const isWhole = choice['delta'] == null && fields['object'] === 'chat.completion';
    const events = isFields(message) ? delta(isWhole ? unsaid(message) : message) : [];
    said = said === 'refused' ? said : (finishOf(choice['finish_reason']) ?? said);
    return events;
  };
  return {
    push(data, event) {
      if (data.startsWith('[DONE]')) {
        isDone = true;
        return [];
      }
      if (isKeepAlive(data, event)) return [];
      const fields = parseFields(data, where);
      if (event === 'error') throw errorInAnswer(where, fields['error'] ?? fields);
      return chunk(fields);
    },
    whole(json) {
      const events = chunk(parseFields(json, where));
      isDone = true;
      return events;
    },
    end() {
      const rest = (splitter?.end() ?? []).flatMap((piece) => heard(piece));
      // Without a word and without an end mark it was cut; with the mark alone, whatever came is the answer.
      if (said === undefined && !(isDone && (hasText || !calls.isEmpty()))) {
        throw new ModelStreamCutError(`${where}: the answer ended before it was complete. Ask again.`);
      }
      const made = calls.finish();
      const finish = settledFinish(said, made.length);
      const blocked = whyNotRun(finish);
      if (made.length > 0) {
        const ids = made.map(({ call }) => call.id);
        const extras = Object.fromEntries(made.map(({ call, extra }) => [call.id, extra]));
        remember(ids, { reasoning, details: joinDetails(pieces), extras });
      }
      const events: ModelEvent[] = [...rest];
      for (const { call, unparseable = blocked } of made) {
        events.push(unparseable === undefined ? { type: 'tool-call', call } : { type: 'tool-call', call, unparseable });
      }
      events.push({ type: 'model-end', finish, usage: plausibleUsage(counts, { answered: hasText || made.length > 0, ...bounds }) });
      return events;
    },
    isDone: () => isDone,
    isFinished: () => said !== undefined,
  };
}

// Some servers send the error without a field around it.
function isErrorItself(fields: Fields): boolean {
  if (fields['object'] === 'error' || fields['type'] === 'error') return true;
  return (
    fields['choices'] === undefined && ['message', 'detail', 'msg'].some((name) => typeof fields[name] === 'string' && fields[name] !== '')
  );
}

// Gemini marks what it thinks where it also stands between tags.
function isMarkedThought({ extra_content: extra }: Fields): boolean {
  return isFields(extra) && isFields(extra['google']) && extra['google']['thought'] === true;
}

function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map((part) => (isFields(part) ? textIn(part['text']) : '')).join('') : '';
}

// A last message of zeros, from servers that counted before, takes nothing away.
function later(before: Usage, now: Usage): Usage {
  const { inputTokens, outputTokens, cachedTokens } = now;
  return {
    inputTokens: inputTokens || before.inputTokens,
    outputTokens: outputTokens || (before.outputTokens ?? outputTokens),
    cachedTokens: inputTokens ? cachedTokens : (before.cachedTokens ?? cachedTokens),
  };
}

// Cached tokens stand in OpenAI's details or in DeepSeek's own field.
function countsIn(usage: Fields): Usage {
  const details = isFields(usage['prompt_tokens_details']) ? usage['prompt_tokens_details'] : {};
  const inputTokens = countOf(usage['prompt_tokens']) ?? countOf(usage['input_tokens']);
  const cachedTokens = countOf(details['cached_tokens']) ?? countOf(usage['prompt_cache_hit_tokens']);
  return { inputTokens, outputTokens: outputIn(usage, inputTokens), cachedTokens };
}

// xAI and Gemini leave what was thought out of the tokens of the answer; only the total has it. A rest that may be input which
// was cached or went into a cache is none.
function outputIn(usage: Fields, inputTokens: number | undefined): number | undefined {
  const spoken = countOf(usage['completion_tokens']) ?? countOf(usage['output_tokens']);
  if (spoken === undefined) return undefined;
  const details = isFields(usage['completion_tokens_details']) ? usage['completion_tokens_details'] : {};
  const thought = countOf(details['reasoning_tokens']) ?? 0;
  const rest = inputTokens ? (countOf(usage['total_tokens']) ?? 0) - inputTokens - spoken : 0;
  if (thought > 0) return rest === thought || thought > spoken ? spoken + thought : spoken;
  return rest > 0 && ![usage, usage['prompt_tokens_details']].some(tellsOfCache) ? spoken + rest : spoken;
}

function tellsOfCache(counts: unknown): boolean {
  return isFields(counts) && Object.entries(counts).some(([name, count]) => name.includes('cache') && countOf(count));
}
