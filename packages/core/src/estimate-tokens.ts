import { type CountTokens, estimateTextTokens } from './estimate-text-tokens.js';
import type { ChatMessage, ContentPart } from './messages.js';
import { readToolSchema } from './tool-schema.js';
import type { ToolSpec } from './tools.js';

/** What a message costs beside its text: role, separators, ids. */
const MESSAGE_OVERHEAD = 4;
const CALL_OVERHEAD = 8;
// OpenAI's published price of an image: 85 tokens at low detail; at high detail 85 and 170 for each of the four tiles of a 1024 × 1024 picture.
const IMAGE_LOW = 85;
const IMAGE_HIGH = 765;
// Ten tokens for each second, and 16,000 bytes a second for the compressed formats, 48,000 for wav.
const AUDIO_TOKENS_PER_SECOND = 10;
const AUDIO_BYTES_PER_SECOND: { readonly [format: string]: number } = { wav: 48_000, pcm16: 48_000 };
// Ours: a page of a PDF is about 50 kB, or 67,000 characters of base64, and 1,700 tokens.
const DOCUMENT_CHARACTERS_PER_TOKEN = 40;
const DOCUMENT_BYTES_PER_TOKEN = 30;
// Four characters of base64 hold three bytes, and a token of text is about four bytes.
const ENCODED_TEXT_CHARACTERS_PER_TOKEN = 5.3;
/** Shorter texts are no files. */
const SHORTEST_FILE = 2_000;
const ENCODED = /^(?:data:([^,]{0,200});base64,)?[A-Za-z0-9+/_=\r\n-]*$/;
const TEXT_TYPE = /^(?:text\/|application\/(?:json|xml|yaml))/i;
/** Parts that are pictures, and parts that hold a file, by OpenAI, Anthropic, the AI SDK and MCP. */
const IMAGES: ReadonlySet<unknown> = new Set(['image_url', 'image', 'input_image', 'image-data', 'image-url', 'computer_screenshot']);
const DOCUMENTS: ReadonlySet<unknown> = new Set(['document', 'file', 'input_file', 'file-data', 'media', 'resource', 'video_url']);
/** Parts and items with what a model thought, and the fields in which that is sealed: base64 of text that only its provider reads. */
const THOUGHTS = /^(?:redacted_)?(?:thinking|reasoning)/;
const SEALED = /data$|encrypted|signature/i;
/** How deep parts inside parts are walked; deeper ones count by their JSON. */
const DEEPEST_PART = 8;
/** Fields that never reach a provider, and those that the overhead pays for. */
const UNCOUNTED: ReadonlySet<string> = new Set(['id', 'origin', 'sender', 'role', 'type', 'tool_call_id', 'call_id']);

/** What {@link estimateTokens} counts beside the messages, and how. */
export interface EstimateOptions {
  /** A system prompt that stands outside the messages. */
  readonly system?: string | undefined;
  /** Tools whose names, descriptions and schemas travel with the request. */
  readonly tools?: readonly ToolSpec[] | undefined;
  /** Default {@link estimateTextTokens}. */
  readonly countText?: CountTokens | undefined;
}

/**
 * Estimates the tokens of a request. Takes OpenAI's and Anthropic's shapes of a message, tool results however deep they
 * are nested, and never throws on a strange one: unknown parts count by their JSON.
 *
 * @returns A whole number. The estimate of a list is the sum of the estimates of its messages.
 */
export function estimateTokens(messages: readonly object[], options: EstimateOptions = {}): number {
  const { system = '', tools = [], countText = estimateTextTokens } = options;
  let tokens = system === '' ? 0 : MESSAGE_OVERHEAD + countText(system);
  for (const tool of tools) tokens += estimateToolTokens(tool, countText);
  for (const message of messages) tokens += estimateMessageTokens(message, countText);
  return tokens;
}

/** Tokens of a message as it goes to a model: text, parts, calls with their arguments, and the frame around them. */
export function estimateMessageTokens(message: ChatMessage | object, countText: CountTokens = estimateTextTokens): number {
  if (!isRecord(message)) return MESSAGE_OVERHEAD + tokensOf(message, 0, countText);
  const { type } = message;
  if (type === 'image_generation_call') return MESSAGE_OVERHEAD + IMAGE_HIGH;
  if (typeof type === 'string' && THOUGHTS.test(type)) return MESSAGE_OVERHEAD + thoughtTokens(message, 0, countText);
  let tokens = MESSAGE_OVERHEAD;
  for (const key in message) {
    const value = message[key];
    if (value === undefined || value === null || UNCOUNTED.has(key)) continue;
    if (key === 'tool_calls' && Array.isArray(value)) for (const call of value) tokens += callTokens(call, countText);
    else tokens += contentTokens(value, 0, countText);
  }
  return tokens;
}

/** Tokens of one part of a message: text by `countText`, an image at a flat price, audio by its length. */
export function estimatePartTokens(part: ContentPart | object, countText: CountTokens = estimateTextTokens): number {
  return partTokens(part, 0, countText);
}

/** Tokens of a tool as a model is told of it: name, description and schema, in our shape or in that of a provider. */
export function estimateToolTokens(tool: ToolSpec | object, countText: CountTokens = estimateTextTokens): number {
  const fields = tool as Readonly<Record<string, unknown>>;
  const { name, description = '', ...rest } = isRecord(fields['function']) ? fields['function'] : fields;
  const given = rest['inputSchema'] ?? rest['parameters'] ?? rest['input_schema'];
  const read = readToolSchema(given);
  return CALL_OVERHEAD + countText(`${String(name)}\n${String(description)}\n${jsonOf('schema' in read ? read.schema : given)}`);
}

function callTokens(call: unknown, countText: CountTokens): number {
  const target = isRecord(call) ? call['function'] : undefined;
  if (!isRecord(target)) return CALL_OVERHEAD + tokensOf(call, 0, countText);
  return CALL_OVERHEAD + tokensOf(target['name'], 0, countText) + tokensOf(target['arguments'], 0, countText);
}

function contentTokens(content: unknown, depth: number, countText: CountTokens): number {
  if (typeof content === 'string') return countText(content);
  if (depth >= DEEPEST_PART) return tokensOf(content, depth, countText);
  // An output of the AI SDK holds its value; that of a computer is a part by itself.
  if (isRecord(content) && typeof content['type'] === 'string')
    return 'value' in content ? contentTokens(content['value'], depth + 1, countText) : partTokens(content, depth, countText);
  if (!Array.isArray(content)) return tokensOf(content, depth, countText);
  let tokens = 0;
  for (const part of content) tokens += partTokens(part, depth, countText);
  return tokens;
}

function partTokens(part: unknown, depth: number, countText: CountTokens): number {
  if (!isRecord(part)) return tokensOf(part, depth, countText);
  const { type, text } = part;
  if (typeof text === 'string' && (type === 'text' || type === 'input_text' || type === 'output_text')) return countText(text);
  const media = mediaTypeOf(part) ?? '';
  if (IMAGES.has(type) || media.startsWith('image/')) {
    const image = part['image_url'];
    return (isRecord(image) ? image['detail'] : part['detail']) === 'low' ? IMAGE_LOW : IMAGE_HIGH;
  }
  if (type === 'input_audio' && isRecord(part['input_audio'])) return audioTokens(part['input_audio']);
  if (media.startsWith('audio/')) return audioTokens({ data: part['data'], format: media.slice('audio/'.length) });
  if (DOCUMENTS.has(type)) return documentTokens(part, depth, countText);
  const nested = type === 'tool_result' || type === 'tool-result' ? (part['content'] ?? part['output'] ?? part['result']) : undefined;
  if (nested !== undefined) return CALL_OVERHEAD + contentTokens(nested, depth + 1, countText);
  const inline = part['inlineData'] ?? part['inline_data'];
  if (isRecord(inline)) return partTokens({ ...inline, type: 'media' }, depth, countText);
  return CALL_OVERHEAD + (typeof type === 'string' && THOUGHTS.test(type) ? thoughtTokens : tokensOf)(part, depth, countText);
}

/** Thoughts as they go back to their provider: text as text, what is sealed by the text that is in it. */
function thoughtTokens(thought: Readonly<Record<string, unknown>>, depth: number, countText: CountTokens): number {
  let tokens = 0;
  for (const key in thought) {
    const value = thought[key];
    if (UNCOUNTED.has(key)) continue;
    if (typeof value === 'string' && SEALED.test(key)) tokens += Math.ceil(value.length / ENCODED_TEXT_CHARACTERS_PER_TOKEN);
    else if (isRecord(value) && depth < DEEPEST_PART) tokens += thoughtTokens(value, depth + 1, countText);
    else tokens += tokensOf(value, depth, countText);
  }
  return tokens;
}

function mediaTypeOf(part: Readonly<Record<string, unknown>>): string | undefined {
  const type = part['media_type'] ?? part['mediaType'] ?? part['mimeType'] ?? part['mime_type'];
  return typeof type === 'string' ? type.toLowerCase() : undefined;
}

/** A document by what it holds: parts as parts, text as text, a file in base64 by its size. */
function documentTokens(document: Readonly<Record<string, unknown>>, depth: number, countText: CountTokens): number {
  const isText = document['type'] === 'text';
  const mediaType = mediaTypeOf(document);
  if (mediaType?.startsWith('image/')) return IMAGE_HIGH;
  let tokens = CALL_OVERHEAD;
  for (const key in document) {
    const value = document[key];
    if (UNCOUNTED.has(key)) continue;
    if (ArrayBuffer.isView(value)) tokens += Math.max(IMAGE_HIGH, Math.ceil(value.byteLength / DOCUMENT_BYTES_PER_TOKEN));
    else if (typeof value === 'string') tokens += (isText ? undefined : fileTokens(value, mediaType)) ?? countText(value);
    else if (isRecord(value) && depth < DEEPEST_PART) tokens += documentTokens(value, depth + 1, countText);
    else tokens += contentTokens(value, depth + 1, countText);
  }
  return tokens;
}

/** @returns `undefined` for a text that is no file in base64. */
function fileTokens(value: string, mediaType: unknown): number | undefined {
  // The start is enough: no text of words goes on so long without a blank or a sign.
  const encoded = value.length > SHORTEST_FILE ? ENCODED.exec(value.slice(0, SHORTEST_FILE)) : null;
  if (encoded === null) return undefined;
  if (TEXT_TYPE.test(encoded[1] ?? String(mediaType))) return Math.ceil(value.length / ENCODED_TEXT_CHARACTERS_PER_TOKEN);
  return Math.max(IMAGE_HIGH, Math.ceil(value.length / DOCUMENT_CHARACTERS_PER_TOKEN));
}

function audioTokens({ data, format }: { readonly [key: string]: unknown }): number {
  const bytes = (typeof data === 'string' ? data.length : 0) * 0.75;
  const seconds = bytes / (AUDIO_BYTES_PER_SECOND[String(format)] ?? 16_000);
  return Math.ceil(seconds * AUDIO_TOKENS_PER_SECOND) + 1;
}

/** The tokens of any value, by its JSON; a list of parts is walked. */
function tokensOf(value: unknown, depth: number, countText: CountTokens): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'string') return countText(value);
  const hasParts = Array.isArray(value) && value.some((item) => isRecord(item) && typeof item['type'] === 'string');
  return hasParts && depth < DEEPEST_PART ? contentTokens(value, depth + 1, countText) : countText(jsonOf(value));
}

/** JSON, or `''` for what has none: a cycle, a bigint, a function. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
