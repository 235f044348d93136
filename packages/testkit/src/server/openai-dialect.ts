import type { ChatMessage, Finish, ToolSpec, Usage } from '@x/core';
import { type AnswerOptions, type Body, type Dialect, isRecord, piecesOf } from './dialect.js';

const FINISH: { readonly [K in Finish]: string } = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  refused: 'content_filter',
};

/** OpenAI's Chat Completions, as documented for `/v1/chat/completions`. */
export const openaiDialect: Dialect = {
  name: 'openai',
  readRequest(body) {
    const tools = Array.isArray(body['tools']) ? body['tools'].flatMap(toolOf) : [];
    const limit = body['max_completion_tokens'] ?? body['max_tokens'];
    const format = isRecord(body['response_format']) ? body['response_format']['json_schema'] : undefined;
    return {
      messages: (Array.isArray(body['messages']) ? body['messages'] : []) as readonly ChatMessage[],
      tools,
      ...(typeof limit === 'number' && { maxOutputTokens: limit }),
      ...(typeof body['temperature'] === 'number' && { temperature: body['temperature'] }),
      ...(isRecord(format) && { outputSchema: format['schema'] }),
    };
  },
  isStream: (body) => body['stream'] === true,
  wantsUsage: (body) => isRecord(body['stream_options']) && body['stream_options']['include_usage'] === true,
  async *frames(events, options) {
    const chunk = (choices: readonly unknown[], extra: object = {}): string =>
      `data: ${JSON.stringify({ ...headOf(options, 'chat.completion.chunk'), choices, ...extra })}\n\n`;
    const delta = (fields: object): string => chunk([{ index: 0, delta: fields, finish_reason: null }]);
    let index = 0;
    let opened = false;
    for await (const event of events) {
      if (!opened) yield delta({ role: 'assistant', content: '' });
      opened = true;
      if (event.type === 'text-delta') yield delta({ content: event.text });
      else if (event.type === 'reasoning-delta') yield delta({ reasoning_content: event.text });
      else if (event.type === 'tool-call') {
        const { id, type, function: called } = event.call;
        yield delta({
          tool_calls: [{ index, ...(!options.noIds && { id }), type, function: { name: called.name, arguments: '' } }],
        });
        for (const piece of piecesOf(called.arguments, 12)) yield delta({ tool_calls: [{ index, function: { arguments: piece } }] });
        index += 1;
      } else {
        yield chunk([{ index: 0, delta: {}, ...finishOf(event.finish, options) }]);
        if (options.includeUsage) yield chunk([], { usage: usageOf(event.usage) });
      }
    }
    if (!options.noDone) yield 'data: [DONE]\n\n';
  },
  whole(events, options) {
    const text = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('');
    const reasoning = events.flatMap((event) => (event.type === 'reasoning-delta' ? [event.text] : [])).join('');
    const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));
    const end = events.find((event) => event.type === 'model-end');
    const message = {
      role: 'assistant',
      content: text === '' && calls.length > 0 ? null : text,
      ...(reasoning !== '' && { reasoning_content: reasoning }),
      ...(calls.length > 0 && { tool_calls: options.noIds ? calls.map(({ id: _id, ...call }) => call) : calls }),
    };
    return {
      ...headOf(options, 'chat.completion'),
      choices: [{ index: 0, message, ...finishOf(end?.finish ?? 'stop', options) }],
      usage: usageOf(end?.usage ?? {}),
    };
  },
  error: ({ status, code, message }) => ({
    error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', param: null, code },
  }),
  errorFrame: (message) => `data: ${JSON.stringify({ error: { message, type: 'server_error', param: null, code: 'server_error' } })}\n\n`,
};

function headOf({ id, createdS, model }: AnswerOptions, object: string): object {
  return { id: `chatcmpl-${id}`, object, created: createdS, model };
}

function finishOf(finish: Finish, { finish: instead }: AnswerOptions): object {
  if (instead === 'absent') return {};
  return { finish_reason: instead === undefined ? FINISH[finish] : instead };
}

function usageOf({ inputTokens = 0, outputTokens = 0, cachedTokens }: Usage): object {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
  };
}

function toolOf(tool: unknown): readonly ToolSpec[] {
  const spec: Body | undefined = isRecord(tool) && isRecord(tool['function']) ? tool['function'] : undefined;
  return spec
    ? [{ name: String(spec['name']), description: String(spec['description'] ?? ''), inputSchema: spec['parameters'] ?? {} }]
    : [];
}
