import { type ModelEvent, ModelStreamCutError, type Usage } from '@x/core';
import { createCallAssembler } from '../assemble-calls.js';
import { errorInAnswer } from '../failure-of.js';
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
} from '../read-answer.js';
import { plausibleUsage, type UsageBounds } from '../read-usage.js';
import type { Block } from './to-anthropic-body.js';

export interface AnthropicReaderOptions {
  /** Such as `anthropic/claude-sonnet-5`, for errors. */
  readonly where: string;
  readonly bounds: Omit<UsageBounds, 'answered'>;
  readonly createId: () => string;
  readonly needsArguments: (tool: string) => boolean;
  /** Names of the tools that were offered. */
  readonly known: ReadonlySet<string>;
  /** Called with the blocks of thinking, and of text between them, of an answer that calls tools; none where it did not think. */
  readonly remember: (callIds: readonly string[], thinking: readonly Block[]) => void;
}

/** Makes a reader of one answer in the format of Anthropic's Messages. */
export function createAnthropicReader({ where, bounds, createId, needsArguments, known, remember }: AnthropicReaderOptions): AnswerReader {
  const calls = createCallAssembler({ createId, needsArguments, known });
  const blocks = new Map<number, { type: string; [field: string]: unknown }>();
  /** Labels of the calls that are ours to run; tools of the endpoint's own stream their input too. */
  const ours = new Set<number>();
  /** Labels of texts that began with words: some servers say these once more as the first piece. */
  const opened = new Set<number>();
  let counts: Usage = {};
  let said: ReturnType<typeof finishOf>;
  let isDone = false;
  let hasText = false;

  const text = (value: unknown): readonly ModelEvent[] => {
    if (typeof value !== 'string' || value === '') return [];
    hasText = true;
    return [{ type: 'text-delta', text: value }];
  };
  const thought = (value: unknown): readonly ModelEvent[] =>
    typeof value === 'string' && value !== '' ? [{ type: 'reasoning-delta', text: value }] : [];
  const start = (index: number, block: Fields): readonly ModelEvent[] => {
    const { type } = block;
    if (type === 'text') {
      blocks.set(index, { type, text: wordIn(block['text']) ?? '' });
      if (block['text']) opened.add(index);
      return text(block['text']);
    }
    if (type === 'thinking' || type === 'redacted_thinking') {
      blocks.set(index, { ...block, type });
      return thought(block['thinking']);
    }
    if (type === 'tool_use') {
      const input = isFields(block['input']) && Object.keys(block['input']).length > 0 ? block['input'] : undefined;
      ours.add(index);
      calls.add({ index, id: wordIn(block['id']), name: wordIn(block['name']), arguments: input });
    }
    return [];
  };
  const delta = (index: number, change: Fields): readonly ModelEvent[] => {
    const { type } = change;
    if (type === 'text_delta') {
      const said = blocks.get(index);
      if (opened.delete(index) && said?.['text'] === change['text']) return [];
      if (said?.type === 'text') said['text'] = `${wordIn(said['text']) ?? ''}${wordIn(change['text']) ?? ''}`;
      return text(change['text']);
    }
    if (type === 'input_json_delta' && ours.has(index)) calls.add({ index, arguments: wordIn(change['partial_json']) });
    const block = blocks.get(index);
    if (type === 'thinking_delta') {
      if (block) block['thinking'] = `${wordIn(block['thinking']) ?? ''}${wordIn(change['thinking']) ?? ''}`;
      return thought(change['thinking']);
    }
    if (type === 'signature_delta' && block) block['signature'] = change['signature'];
    return [];
  };
  const hear = (word: unknown): void => {
    if (isFailureWord(word)) throw errorInAnswer(where, { code: word });
    said = finishOf(word) ?? said;
  };
  const message = (fields: Fields): readonly ModelEvent[] => {
    counts = merged(counts, fields['usage']);
    const events = (Array.isArray(fields['content']) ? fields['content'] : []).flatMap((block, index) =>
      isFields(block) ? start(index, block) : [],
    );
    hear(fields['stop_reason']);
    return events;
  };
  return {
    push(data, event) {
      if (isKeepAlive(data, event) || data.startsWith('[DONE]')) return [];
      const fields = parseFields(data, where);
      const index = countOf(fields['index']) ?? 0;
      switch (fields['type'] ?? event) {
        case 'message_start':
          return isFields(fields['message']) ? message(fields['message']) : [];
        case 'content_block_start':
          return isFields(fields['content_block']) ? start(index, fields['content_block']) : [];
        case 'content_block_delta':
          return isFields(fields['delta']) ? delta(index, fields['delta']) : [];
        case 'message_delta':
          counts = merged(counts, fields['usage']);
          if (isFields(fields['delta'])) hear(fields['delta']['stop_reason']);
          return [];
        case 'message_stop':
          isDone = true;
          return [];
        case 'error':
          throw errorInAnswer(where, fields['error'] ?? fields);
        default:
          if (fields['error']) throw errorInAnswer(where, fields['error']);
          return [];
      }
    },
    whole(json) {
      const fields = parseFields(json, where);
      if (fields['type'] === 'error' || fields['error']) throw errorInAnswer(where, fields['error'] ?? fields);
      const events = message(fields);
      isDone = true;
      return events;
    },
    end() {
      if (said === undefined && !(isDone && (hasText || !calls.isEmpty()))) {
        throw new ModelStreamCutError(`${where}: the answer ended before it was complete. Ask again.`);
      }
      const made = calls.finish();
      const finish = settledFinish(said, made.length);
      const blocked = whyNotRun(finish);
      const thinks = [...blocks.values()].some(({ type }) => type !== 'text');
      if (made.length > 0)
        remember(
          made.map(({ call }) => call.id),
          thinks ? [...blocks.values()] : [],
        );
      const events: ModelEvent[] = made.map(({ call, unparseable = blocked }) =>
        unparseable === undefined ? { type: 'tool-call', call } : { type: 'tool-call', call, unparseable },
      );
      events.push({ type: 'model-end', finish, usage: plausibleUsage(counts, { ...bounds, answered: hasText || made.length > 0 }) });
      return events;
    },
    isDone: () => isDone,
    isFinished: () => said !== undefined,
  };
}

function wordIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

// Input is told in three parts: read from the cache, written to it, and neither. The last message has the final counts.
function merged(before: Usage, usage: unknown): Usage {
  if (!isFields(usage)) return before;
  const fresh = countOf(usage['input_tokens']);
  const read = countOf(usage['cache_read_input_tokens']) ?? 0;
  const written = countOf(usage['cache_creation_input_tokens']) ?? 0;
  const inputTokens = fresh === undefined || fresh + read + written === 0 ? before.inputTokens : fresh + read + written;
  return {
    inputTokens,
    outputTokens: countOf(usage['output_tokens']) ?? before.outputTokens,
    cachedTokens: read > 0 || before.cachedTokens === undefined ? read : before.cachedTokens,
  };
}
