import type { ChatMessage, ModelRequest, ToolCall, ToolSpec } from '@x/core';
import type { ProviderRow, Wire } from './provider-rows.js';
import type { ObjectSchema } from './tool-schema.js';
import { wellFormed, wellFormedDeep } from './well-formed.js';

/** A field of the request that an endpoint may refuse, and that the answer can do without. */
export type Optional = 'stream_options' | 'temperature' | 'response_format' | 'limit_name' | 'developer';

export interface OpenAIBodyOptions {
  readonly model: string;
  readonly row: ProviderRow;
  /** Fields that this endpoint has refused before. */
  readonly refused: ReadonlySet<Optional>;
  readonly schemaOf: (tool: ToolSpec) => ObjectSchema;
  /** The reasoning that led to a call of this id, if it was seen. */
  readonly reasoningOf: (callId: string) => string | undefined;
  /** Further fields; they win. */
  readonly extraBody?: { readonly [field: string]: unknown } | undefined;
}

/** A request in the form of OpenAI's Chat Completions, in the dialect of its row. */
export function toOpenAIBody(request: ModelRequest, options: OpenAIBodyOptions): { readonly [field: string]: unknown } {
  const { model, row, refused, schemaOf, extraBody } = options;
  const { wire, capabilities } = row;
  const { messages, tools, maxOutputTokens, temperature, outputSchema } = request;
  const limitField = refused.has('limit_name') ? otherName(wire.limitField) : wire.limitField;
  const limitIsGiven = ['max_tokens', 'max_completion_tokens'].some((name) => extraBody?.[name] !== undefined);
  return {
    model,
    messages: messages.map((message) => toMessage(message, options)),
    ...(tools.length > 0 && {
      tools: tools.map((tool) => ({
        type: 'function',
        function: { name: tool.name, description: wellFormed(tool.description ?? ''), parameters: schemaOf(tool) },
      })),
    }),
    ...(maxOutputTokens !== undefined && !limitIsGiven && { [limitField]: maxOutputTokens }),
    ...(temperature !== undefined && !refused.has('temperature') && { temperature }),
    ...(outputSchema !== undefined &&
      capabilities.structuredOutput &&
      !refused.has('response_format') && {
        response_format: { type: 'json_schema', json_schema: { name: 'reply', schema: outputSchema } },
      }),
    stream: true,
    ...(wire.streamUsage && !refused.has('stream_options') && { stream_options: { include_usage: true } }),
    ...extraBody,
  };
}

function otherName(field: Wire['limitField']): Wire['limitField'] {
  return field === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
}

function toMessage(
  message: ChatMessage,
  { row: { wire }, refused, reasoningOf }: OpenAIBodyOptions,
): { readonly [field: string]: unknown } {
  const { role, content, tool_calls: calls, tool_call_id: callId } = message;
  if (role === 'tool') return { role, tool_call_id: idFor(callId ?? '', wire), content: wellFormedDeep(content ?? '') };
  if (role !== 'assistant') {
    const takesDeveloper = wire.developerRole && !refused.has('developer');
    return { role: role === 'developer' && !takesDeveloper ? 'system' : role, content: wellFormedDeep(content ?? '') };
  }
  if (!calls || calls.length === 0) return { role, content: wellFormedDeep(content ?? '') };
  const first = calls[0]?.id ?? '';
  const reasoning = wire.reasoningReplay === 'with-calls' ? reasoningOf(first) : undefined;
  // A message that calls tools is never empty, so its content may be.
  return {
    role,
    content: content === null || content === '' ? (wire.emptyContent === 'null' ? null : '') : wellFormedDeep(content),
    ...(reasoning !== undefined && { reasoning_content: wellFormed(reasoning) }),
    tool_calls: calls.map((call) => toCall(call, wire)),
  };
}

function toCall({ id, type, function: { name, arguments: text } }: ToolCall, wire: Wire): ToolCall {
  return { id: idFor(id, wire), type, function: { name, arguments: replayedArguments(text, wire) } };
}

/** Blank arguments travel as `{}`; where they must be JSON, other text travels inside of it. */
export function replayedArguments(text: string, { argumentsMustParse }: Pick<Wire, 'argumentsMustParse'>): string {
  if (text.trim() === '') return '{}';
  if (argumentsMustParse && !isJsonObject(text)) return JSON.stringify({ unparseable: wellFormed(text) });
  return wellFormed(text);
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

// OpenAI refuses longer ids; those of other providers may be.
const MAX_ID_CHARS = 40;

function idFor(id: string, { callIds }: Wire): string {
  if (callIds === 'any') return id.length <= MAX_ID_CHARS ? id : `call_${digestOf(id)}`;
  return /^[A-Za-z0-9]{9}$/.test(id) ? id : digestOf(id).slice(-9);
}

// Letters and digits that depend on the id alone, so that a call and its result stay together. FNV-1a, twice.
function digestOf(id: string): string {
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  for (let index = 0; index < id.length; index += 1) {
    a = Math.imul(a ^ id.charCodeAt(index), 0x01000193);
    b = Math.imul(b ^ id.charCodeAt(index), 0x01000193) + index;
  }
  return `${(a >>> 0).toString(36).padStart(7, '0')}${(b >>> 0).toString(36).padStart(7, '0')}`;
}

/** Which field a refusal is about, so that the request can go again without it; `undefined` when it is about none of them. */
export function refusedField(words: string, sent: { readonly [field: string]: unknown }): Optional | undefined {
  if (/stream_options|include_usage/i.test(words) && sent['stream_options']) return 'stream_options';
  if (
    /max_(?:completion_)?tokens/i.test(words) &&
    /unsupported|not supported|unrecognized|unknown|extra|instead|not permitted/i.test(words)
  ) {
    return (sent['max_tokens'] ?? sent['max_completion_tokens']) ? 'limit_name' : undefined;
  }
  if (/\btemperature\b/i.test(words) && sent['temperature'] !== undefined) return 'temperature';
  if (/response_format|json_schema/i.test(words) && sent['response_format']) return 'response_format';
  if (/\bdeveloper\b/i.test(words)) return 'developer';
  return undefined;
}
