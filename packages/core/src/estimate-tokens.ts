import { FEATURES, tokenFeatures } from './token-features.js';
import { TOKEN_WEIGHTS } from './token-weights.js';

const WEIGHTS: readonly number[] = FEATURES.map((feature) => TOKEN_WEIGHTS[feature]);

/** Tokens of the frame around a message: role, separators. */
const MESSAGE_TOKENS = 4;
/** Tokens of the frame around a tool call, a tool result or a tool's schema. */
const CALL_TOKENS = 6;
/** Tokens of a picture of about a megapixel; with `detail: 'low'` providers charge a fixed small sum. */
const IMAGE_TOKENS = 1_000;
const LOW_IMAGE_TOKENS = 90;
/** Base64 characters of common audio formats for one token (ten tokens a second). */
const AUDIO_CHARACTERS = 2_000;
/** Base64 characters of a document for one token (a page of 50 kB is about 1,700). */
const DOCUMENT_CHARACTERS = 40;

/**
 * Estimates how many tokens a text is, without a tokenizer: counts words, digit groups, signs, breaks and letters of
 * each script, and weighs them. Fitted against o200k; the README of `@x/compactor` has the error by kind of text.
 *
 * @returns A whole number, 0 for `''`.
 */
export function estimateTextTokens(text: string): number {
  if (text === '') return 0;
  const counts = tokenFeatures(text);
  let total = 0;
  for (let index = 0; index < counts.length; index += 1) total += counts[index]! * WEIGHTS[index]!;
  return Math.max(1, Math.ceil(total));
}

/** What {@link estimateTokens} counts beside the messages. */
export interface EstimateOptions {
  /** A system prompt that stands outside the messages. */
  readonly system?: string | undefined;
  /** Tools whose names, descriptions and schemas travel with the request. */
  readonly tools?: readonly unknown[] | undefined;
}

/**
 * Estimates the tokens of a request: text, tool calls with their arguments, tool results however deep they are nested,
 * pictures at a flat price, unknown parts by their JSON. Takes OpenAI's and Anthropic's shapes; never throws.
 *
 * @returns A whole number. It is additive: the estimate of a list is the sum of the estimates of its messages.
 */
export function estimateTokens(messages: readonly unknown[], { system = '', tools = [] }: EstimateOptions = {}): number {
  let total = system === '' ? 0 : MESSAGE_TOKENS + estimateTextTokens(system);
  for (const tool of tools) total += CALL_TOKENS + valueTokens(tool, 0);
  for (const message of messages) total += messageTokens(message);
  return total;
}

/** Fields that never reach a provider. */
const OURS: ReadonlySet<string> = new Set(['id', 'origin', 'sender', 'role', 'type']);

function messageTokens(message: unknown): number {
  if (!isRecord(message)) return MESSAGE_TOKENS + valueTokens(message, 0);
  let total = MESSAGE_TOKENS;
  for (const key in message) {
    const value = message[key];
    if (value === undefined || value === null || (OURS.has(key) && typeof value !== 'object')) continue;
    if (key === 'content') total += contentTokens(value, 0);
    else if (key === 'tool_calls' && Array.isArray(value)) for (const call of value) total += callTokens(call);
    else if (key !== 'sender') total += valueTokens(value, 0);
  }
  return total;
}

function callTokens(call: unknown): number {
  const target = isRecord(call) ? call['function'] : undefined;
  if (!isRecord(call) || !isRecord(target)) return CALL_TOKENS + valueTokens(call, 0);
  return CALL_TOKENS + valueTokens(call['id'], 0) + valueTokens(target['name'], 0) + valueTokens(target['arguments'], 0);
}

function contentTokens(content: unknown, depth: number): number {
  if (typeof content === 'string') return estimateTextTokens(content);
  if (!Array.isArray(content)) return valueTokens(content, depth);
  let total = 0;
  for (const part of content) total += partTokens(part, depth);
  return total;
}

function partTokens(part: unknown, depth: number): number {
  if (!isRecord(part)) return valueTokens(part, depth);
  const type = part['type'];
  if (typeof part['text'] === 'string' && (type === 'text' || type === 'input_text' || type === 'output_text'))
    return estimateTextTokens(part['text']);
  if (type === 'image_url' || type === 'image' || type === 'input_image') {
    const image = part['image_url'];
    const detail = part['detail'] ?? (isRecord(image) ? image['detail'] : undefined);
    return detail === 'low' ? LOW_IMAGE_TOKENS : IMAGE_TOKENS;
  }
  if (type === 'input_audio') return Math.max(50, Math.ceil(longestText(part) / AUDIO_CHARACTERS));
  if (type === 'document' || type === 'file' || type === 'input_file') {
    const encoded = longestText(part);
    if (encoded > 2_000) return Math.max(IMAGE_TOKENS, Math.ceil(encoded / DOCUMENT_CHARACTERS));
  }
  if (type === 'tool_result' || type === 'tool-result') {
    const { content, output, tool_use_id, toolCallId } = part as { [key: string]: unknown };
    return (
      CALL_TOKENS +
      valueTokens(tool_use_id ?? toolCallId, depth) +
      (depth < 8 ? contentTokens(content ?? output ?? '', depth + 1) : valueTokens(content ?? output, depth))
    );
  }
  return CALL_TOKENS + valueTokens(part, depth);
}

/** The tokens of any value, by its JSON; what JSON cannot write counts nothing. */
function valueTokens(value: unknown, depth: number): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'string') return estimateTextTokens(value);
  if (Array.isArray(value) && depth < 8 && value.some((item) => isRecord(item) && typeof item['type'] === 'string'))
    return contentTokens(value, depth + 1);
  try {
    return estimateTextTokens(JSON.stringify(value) ?? '');
  } catch {
    return CALL_TOKENS;
  }
}

function longestText(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || depth > 4) return 0;
  return Math.max(0, ...Object.values(value).map((item) => longestText(item, depth + 1)));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
