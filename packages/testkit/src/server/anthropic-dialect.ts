import type { ChatMessage, Finish, ToolSpec, Usage } from '@x/core';
import { type AnswerOptions, type Body, type Dialect, isRecord, piecesOf } from './dialect.js';

const FINISH: { readonly [K in Finish]: string } = { stop: 'end_turn', 'tool-calls': 'tool_use', length: 'max_tokens', refused: 'refusal' };

/** Anthropic's Messages, as documented for `/v1/messages`. */
export const anthropicDialect: Dialect = {
  name: 'anthropic',
  readRequest(body) {
    const system = textOfBlocks(body['system']);
    const list = Array.isArray(body['messages']) ? body['messages'].filter(isRecord) : [];
    return {
      messages: [...(system === '' ? [] : [{ role: 'system' as const, content: system }]), ...list.flatMap(messagesOf)],
      tools: (Array.isArray(body['tools']) ? body['tools'].filter(isRecord) : []).map(toolOf),
      ...(typeof body['max_tokens'] === 'number' && { maxOutputTokens: body['max_tokens'] }),
      ...(typeof body['temperature'] === 'number' && { temperature: body['temperature'] }),
    };
  },
  isStream: (body) => body['stream'] === true,
  wantsUsage: () => true,
  async *frames(events, options) {
    let index = -1;
    let open: 'text' | 'thinking' | undefined;
    let started = false;
    const close = (): string => {
      open = undefined;
      return frame('content_block_stop', { index });
    };
    const start = (block: object): string => {
      index += 1;
      return frame('content_block_start', { index, content_block: block });
    };
    for await (const event of events) {
      if (!started) {
        yield frame('message_start', {
          message: { ...headOf(options), content: [], stop_reason: null, usage: usageOf({ outputTokens: 1 }) },
        });
        yield frame('ping', {});
      }
      started = true;
      const kind = event.type === 'text-delta' ? 'text' : event.type === 'reasoning-delta' ? 'thinking' : undefined;
      if (open !== undefined && open !== kind) yield close();
      if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
        if (open === undefined) yield start(kind === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '' });
        open = kind;
        const delta = kind === 'text' ? { type: 'text_delta', text: event.text } : { type: 'thinking_delta', thinking: event.text };
        yield frame('content_block_delta', { index, delta });
      } else if (event.type === 'tool-call') {
        const { id, function: called } = event.call;
        yield start({ type: 'tool_use', ...(!options.noIds && { id }), name: called.name, input: {} });
        for (const piece of piecesOf(called.arguments, 12)) {
          yield frame('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: piece } });
        }
        yield close();
      } else {
        yield frame('message_delta', { delta: { ...finishOf(event.finish, options), stop_sequence: null }, usage: usageOf(event.usage) });
      }
    }
    if (!options.noDone) yield frame('message_stop', {});
  },
  whole(events, options) {
    const content: object[] = [];
    const text = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('');
    if (text !== '') content.push({ type: 'text', text });
    for (const event of events) {
      if (event.type !== 'tool-call') continue;
      const { id, function: called } = event.call;
      content.push({ type: 'tool_use', ...(!options.noIds && { id }), name: called.name, input: parsedOr(called.arguments) });
    }
    const end = events.find((event) => event.type === 'model-end');
    return {
      ...headOf(options),
      content,
      ...finishOf(end?.finish ?? 'stop', options),
      stop_sequence: null,
      usage: usageOf(end?.usage ?? {}),
    };
  },
  error: ({ status, message }) => ({ type: 'error', error: { type: ERROR_TYPE[status] ?? 'api_error', message } }),
  errorFrame: (message) => frame('error', { error: { type: 'overloaded_error', message } }),
};

const ERROR_TYPE: { readonly [status: number]: string } = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function frame(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

function headOf({ id, model }: AnswerOptions): object {
  return { id: `msg_${id}`, type: 'message', role: 'assistant', model };
}

function finishOf(finish: Finish, { finish: instead }: AnswerOptions): object {
  if (instead === 'absent') return {};
  return { stop_reason: instead === undefined ? FINISH[finish] : instead };
}

// `input_tokens` counts what was not read from the cache; the whole input is the sum of both.
function usageOf({ inputTokens = 0, outputTokens = 0, cachedTokens = 0 }: Usage): object {
  return { input_tokens: Math.max(0, inputTokens - cachedTokens), cache_read_input_tokens: cachedTokens, output_tokens: outputTokens };
}

function parsedOr(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

function toolOf(tool: Body): ToolSpec {
  return { name: String(tool['name']), description: String(tool['description'] ?? ''), inputSchema: tool['input_schema'] ?? {} };
}

function textOfBlocks(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.flatMap((block) => (isRecord(block) && block['type'] === 'text' ? [String(block['text'])] : [])).join('\n');
}

// A message of several blocks becomes several of ours: results first, then the text; calls go with their text.
function messagesOf(message: Body): readonly ChatMessage[] {
  const blocks = Array.isArray(message['content']) ? message['content'].filter(isRecord) : [];
  const text = textOfBlocks(message['content']);
  if (message['role'] === 'assistant') {
    const calls = blocks
      .filter((block) => block['type'] === 'tool_use')
      .map((block) => ({
        id: String(block['id']),
        type: 'function' as const,
        function: { name: String(block['name']), arguments: JSON.stringify(block['input'] ?? {}) },
      }));
    return [{ role: 'assistant', content: text === '' && calls.length > 0 ? null : text, ...(calls.length > 0 && { tool_calls: calls }) }];
  }
  const results = blocks
    .filter((block) => block['type'] === 'tool_result')
    .map((block): ChatMessage => ({ role: 'tool', content: textOfBlocks(block['content']), tool_call_id: String(block['tool_use_id']) }));
  return text === '' && results.length > 0 ? results : [...results, { role: 'user', content: text }];
}
