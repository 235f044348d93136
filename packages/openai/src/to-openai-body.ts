import { type ChatMessage, type ModelRequest, type ToolCall, type ToolSpec, textOf } from '@x/core';
import { plainForm } from './plain-schema.js';
import type { ProviderRow, Wire } from './provider-rows.js';
import type { KeptThinking } from './remember-reasoning.js';
import { replayedName } from './tool-name.js';
import type { ObjectSchema } from './tool-schema.js';
import { wellFormed, wellFormedDeep } from './well-formed.js';

/**
 * What an endpoint may refuse, so that the request goes again in another form: without a field, under the other name of the
 * limit, with reasoning or without it, with a mark in place of a signature that is not known, with fewer words of JSON Schema,
 * with the tools that the talk has called, or with their names beside their results.
 */
export type Optional =
  | 'stream_options'
  | 'temperature'
  | 'response_format'
  | 'limit_name'
  | 'developer'
  | 'reasoning_wanted'
  | 'reasoning_unwanted'
  | 'thought_signature'
  | 'schema_keywords'
  | 'tools_wanted'
  | 'result_names';

export interface OpenAIBodyOptions {
  readonly model: string;
  readonly row: ProviderRow;
  /** Fields that this endpoint has refused before. */
  readonly refused: ReadonlySet<Optional>;
  readonly schemaOf: (tool: ToolSpec, isPlain: boolean) => ObjectSchema;
  /** What came with the call of this id, if this client received it. */
  readonly thinkingOf: (callId: string) => KeptThinking | undefined;
  /** Further fields; they win. */
  readonly extraBody?: { readonly [field: string]: unknown } | undefined;
}

/** A request in the form of OpenAI's Chat Completions, in the dialect of its row. */
export function toOpenAIBody(request: ModelRequest, options: OpenAIBodyOptions): { readonly [field: string]: unknown } {
  const { model, row, refused, schemaOf, extraBody } = options;
  const { wire, capabilities } = row;
  const { messages, maxOutputTokens, temperature, outputSchema } = request;
  const standIns = request.tools.length === 0 && refused.has('tools_wanted') ? toolsCalled(messages) : [];
  const tools = [...request.tools, ...standIns];
  const limitField = refused.has('limit_name') ? otherName(wire.limitField) : wire.limitField;
  const isPlain = wire.schemas === 'plain' || refused.has('schema_keywords');
  const named = wire.resultNames || refused.has('result_names') ? withNames(messages) : messages;
  const limitIsGiven = ['max_tokens', 'max_completion_tokens'].some((name) => extraBody?.[name] !== undefined);
  return {
    model,
    messages: named.map((message) => toMessage(message, options)),
    ...(tools.length > 0 && {
      tools: tools.map((tool) => ({
        type: 'function',
        function: { name: tool.name, description: wellFormed(tool.description ?? ''), parameters: schemaOf(tool, isPlain) },
      })),
    }),
    ...(standIns.length > 0 && { tool_choice: 'none' }),
    ...(maxOutputTokens !== undefined && !limitIsGiven && { [limitField]: maxOutputTokens }),
    ...(temperature !== undefined && !refused.has('temperature') && { temperature }),
    ...(outputSchema !== undefined &&
      capabilities.structuredOutput &&
      !refused.has('response_format') && {
        response_format: { type: 'json_schema', json_schema: { name: 'reply', schema: isPlain ? plainForm(outputSchema) : outputSchema } },
      }),
    stream: true,
    ...(wire.streamUsage && !refused.has('stream_options') && { stream_options: { include_usage: true } }),
    ...extraBody,
  };
}

/** Stands for the tools that a talk has called, where it may call none now: Bedrock takes no call without them. */
export function toolsCalled(messages: readonly ChatMessage[]): readonly ToolSpec[] {
  const names = new Set(messages.flatMap(({ tool_calls: calls }) => (calls ?? []).map((call) => replayedName(call.function.name))));
  return [...names].sort().map((name) => ({ name, description: 'Not available now.', inputSchema: {} }));
}

/** True where an endpoint demands the tools of the calls in the talk. */
export function wantsTools(words: string): boolean {
  return /toolConfig field must be defined|\btools=|must define tools/i.test(words);
}

type Named = ChatMessage & { readonly name?: string | undefined };

/** The messages with the name of its tool in each result. */
function withNames(messages: readonly ChatMessage[]): readonly Named[] {
  const names = new Map<string | undefined, string>();
  return messages.map((message) => {
    for (const call of message.tool_calls ?? []) names.set(call.id, replayedName(call.function.name));
    return message.role === 'tool' ? { ...message, name: names.get(message.tool_call_id) } : message;
  });
}

function otherName(field: Wire['limitField']): Wire['limitField'] {
  return field === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
}

/**
 * Stands for an answer that says nothing and calls nothing, which Mistral, Moonshot and others refuse. Left out, it would
 * put two messages of the user side by side, and a note at the head of the second into the middle of one.
 */
const NO_ANSWER = '(no answer)';

/** Stands for a message of the user of which nothing is left. */
export const NO_TEXT = '(a message without text)';

/** Stands for a result that says nothing, which many refuse, and with it each further request of the talk. */
export const NO_OUTPUT = '(no output)';

/**
 * A list of texts goes as one text: DeepSeek and many local servers take a list only where a picture is in it. Beside one a blank
 * text is refused. A list stays one in which the host marks a text with `cache_control`, as OpenRouter reads it.
 */
function contentOf(content: ChatMessage['content']): unknown {
  if (typeof content === 'string') return wellFormed(content);
  if (content == null) return ''; // a store of a host's may hold nothing
  if (content.every((part) => part?.type === 'text' && !('cache_control' in part))) return wellFormed(textOf({ content }));
  return wellFormedDeep(content.filter((part) => part?.type !== 'text' || part.text?.trim() !== ''));
}

function isBlank(content: ChatMessage['content']): boolean {
  return typeof content === 'string' ? content.trim() === '' : !content || content.length === 0;
}

function toMessage(message: Named, options: OpenAIBodyOptions): { readonly [field: string]: unknown } {
  const { row, refused, thinkingOf } = options;
  const { wire } = row;
  const { role, content, name, tool_calls: calls, tool_call_id: callId = '' } = message;
  if (role === 'tool') {
    const output = contentOf(content);
    const id = idFor(callId, wire, thinkingOf);
    return { role, tool_call_id: id, ...(name !== undefined && { name }), content: isBlank(output as string) ? NO_OUTPUT : output };
  }
  if (role !== 'assistant') {
    const takesDeveloper = wire.developerRole && !refused.has('developer');
    const said = contentOf(content);
    return {
      role: role === 'developer' && !takesDeveloper ? 'system' : role,
      content: role === 'user' && isBlank(said as string) ? NO_TEXT : said,
    };
  }
  if (!calls || calls.length === 0) return { role, content: isBlank(content) ? NO_ANSWER : contentOf(content) };
  // A message that calls tools is never empty, so its content may be.
  return {
    role,
    content: !content ? (wire.emptyContent === 'null' ? null : '') : contentOf(content),
    ...replayedThinking(thinkingOf(calls[0]?.id ?? ''), options),
    tool_calls: calls.map((call, index) => toCall(call, index === 0, options)),
  };
}

function replayedThinking(
  thinking: KeptThinking | undefined,
  { row: { wire }, refused }: OpenAIBodyOptions,
): { readonly [field: string]: unknown } {
  if (!thinking) return {};
  const { reasoning, details } = thinking;
  const wantsText = (wire.reasoningReplay === 'with-calls' || refused.has('reasoning_wanted')) && !refused.has('reasoning_unwanted');
  return {
    ...(wantsText && reasoning !== '' && { reasoning_content: wellFormed(reasoning) }),
    ...(wire.reasoningReplay === 'details-with-calls' && details.length > 0 && { reasoning_details: details }),
  };
}

function toCall({ id, type, function: { name, arguments: text } }: ToolCall, isFirst: boolean, options: OpenAIBodyOptions): ToolCall {
  const { row, refused, thinkingOf } = options;
  const extra = thinkingOf(id)?.extras[id] ?? (isFirst && refused.has('thought_signature') ? UNSIGNED : undefined);
  return {
    id: idFor(id, row.wire, thinkingOf),
    type,
    ...(extra !== undefined && { extra_content: extra }),
    function: { name: replayedName(name), arguments: replayedArguments(text, row.wire) },
  };
}

/**
 * For calls that another client or model made.
 *
 * @remarks Source: ai.google.dev/gemini-api/docs/thought-signatures, which names this value for calls without a signature.
 */
const UNSIGNED = { google: { thought_signature: 'skip_thought_signature_validator' } };

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

// A long id of the endpoint's own stays: some keep a signature in it.
function idFor(id: string, { callIds }: Wire, thinkingOf: OpenAIBodyOptions['thinkingOf']): string {
  if (callIds === 'any') return id.length <= MAX_ID_CHARS || thinkingOf(id) !== undefined ? id : `call_${digestOf(id)}`;
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
  if (/response_?format|response_?schema|json_schema|response mime type/i.test(words) && sent['response_format']) return 'response_format';
  if (/\bdeveloper\b/i.test(words)) return 'developer';
  if (/\breasoning_content\b/i.test(words))
    return /missing|required|must be (?:passed|provided|included)/i.test(words) ? 'reasoning_wanted' : 'reasoning_unwanted';
  if (/\bthought_signature\b/i.test(words)) return 'thought_signature';
  if (/function_?response\.name|'?name'? field is required|must have a 'name' field/i.test(words)) return 'result_names';
  if (!sent['tools']) return wantsTools(words) ? 'tools_wanted' : undefined;
  return isAboutSchema(words) ? 'schema_keywords' : undefined;
}

// Google names the place, others the word of JSON Schema that they do not take.
function isAboutSchema(words: string): boolean {
  if (/function_?declarations?\[/i.test(words)) return true;
  const isRefused = /not (?:permitted|supported|allowed)|unsupported|unknown|unrecognized/i.test(words);
  return isRefused && /\b(?:schema|parameters|tools?)\b/i.test(words) && SCHEMA_KEYWORD.test(words);
}

const SCHEMA_KEYWORD =
  /\b(?:additional_?properties|exclusive_?(?:min|max)imum|property_?names|pattern_?properties|(?:one|any|all)of|unique_?items|multiple_?of|unevaluated\w+|(?:min|max)_?length)\b|\$(?:ref|defs|schema)\b|'(?:const|format|default|not)'/i;
