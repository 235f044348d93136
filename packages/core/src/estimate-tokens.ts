import type { ChatMessage, ContentPart } from './messages.js';
import type { ToolSpec } from './tools.js';

/** Counts the tokens of a text: a real tokenizer, or {@link estimateTextTokens}. */
export type CountTokens = (text: string) => number;

// Tokens per UTF-16 unit, by script. The figures are ours: rounded up from what current byte-pair vocabularies need,
// so that an estimate errs on the side of too many.
const SPACED_LATIN = 0.25;
const DENSE_RUN = 0.7;
const PUNCTUATION = 0.5;
const DIGIT = 0.4;
const ALPHABETIC = 0.5;
const SYLLABIC = 0.8;
const IDEOGRAPHIC = 1;
const SURROGATE = 1.2;

/** Letters and digits without a break, past which a run counts as data (base64, hashes) and not as words. */
const LONGEST_WORD = 40;

/**
 * Estimates how many tokens a text has, by the scripts it is written in: four Latin letters make one, a Chinese
 * character makes one, base64 and hashes cost more than words of the same length.
 *
 * @returns A whole number, 0 for the empty text only. One pass, no tables.
 */
export function estimateTextTokens(text: string): number {
  let tokens = 0;
  let run = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const isLetter = (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90);
    const isDigit = unit >= 48 && unit <= 57;
    if (isLetter || isDigit) {
      run += 1;
      if (run > LONGEST_WORD) tokens += DENSE_RUN;
      else if (isLetter) tokens += SPACED_LATIN;
      else tokens += DIGIT;
      // The part of the run that was taken for words is data too.
      if (run === LONGEST_WORD + 1) tokens += LONGEST_WORD * (DENSE_RUN - SPACED_LATIN);
      continue;
    }
    if (unit === 43 || unit === 47 || unit === 61) {
      // + / = belong to base64 and do not end a run.
      tokens += run > LONGEST_WORD ? DENSE_RUN : PUNCTUATION;
      continue;
    }
    run = 0;
    tokens += unit < 128 ? (unit <= 32 ? SPACED_LATIN : PUNCTUATION) : weightOf(unit);
  }
  return Math.ceil(tokens);
}

function weightOf(unit: number): number {
  if (unit < 0x0250) return ALPHABETIC; // Latin with marks
  if (unit < 0x0900) return ALPHABETIC; // Greek, Cyrillic, Armenian, Hebrew, Arabic
  if (unit < 0x1100) return SYLLABIC; // Indic scripts, Thai, Lao, Tibetan, Georgian
  if (unit < 0x2e80) return SYLLABIC; // Jamo, Ethiopic, Khmer, symbols
  if (unit >= 0xd800 && unit <= 0xdfff) return SURROGATE; // emoji and rare ideographs: two units each
  return IDEOGRAPHIC; // kana, Han, Hangul, full-width forms
}

/** What a message costs beside its text: role, separators, ids. */
const MESSAGE_OVERHEAD = 4;
const CALL_OVERHEAD = 8;
// OpenAI's published price of an image: 85 tokens at low detail; at high detail 85 and 170 for each of the four tiles of a 1024 × 1024 picture.
const IMAGE_LOW = 85;
const IMAGE_HIGH = 765;
// Ten tokens for each second, and 16,000 bytes a second for the compressed formats, 48,000 for wav.
const AUDIO_TOKENS_PER_SECOND = 10;
const AUDIO_BYTES_PER_SECOND: { readonly [format: string]: number } = { wav: 48_000, pcm16: 48_000 };

/** Tokens of one part of a message: text by `countTokens`, an image at a flat price, audio by its length. */
export function estimatePartTokens(part: ContentPart, countTokens: CountTokens = estimateTextTokens): number {
  if (part.type === 'text') return countTokens(part.text);
  if (part.type === 'image_url') return part.image_url.detail === 'low' ? IMAGE_LOW : IMAGE_HIGH;
  if (part.type === 'input_audio') {
    const bytes = part.input_audio.data.length * 0.75;
    const seconds = bytes / (AUDIO_BYTES_PER_SECOND[part.input_audio.format] ?? 16_000);
    return Math.ceil(seconds * AUDIO_TOKENS_PER_SECOND) + 1;
  }
  return countTokens(JSON.stringify(part));
}

/** Tokens of a message as it goes to a model: text, parts, calls with their arguments, and the frame around them. */
export function estimateMessageTokens(message: ChatMessage, countTokens: CountTokens = estimateTextTokens): number {
  const { content } = message;
  let tokens = MESSAGE_OVERHEAD;
  if (typeof content === 'string') tokens += countTokens(content);
  else for (const part of content ?? []) tokens += estimatePartTokens(part, countTokens);
  for (const call of message.tool_calls ?? []) {
    tokens += CALL_OVERHEAD + countTokens(call.function.name) + countTokens(call.function.arguments);
  }
  return tokens;
}

/** Tokens of a tool as a model is told of it: name, description and schema. */
export function estimateToolTokens(tool: ToolSpec, countTokens: CountTokens = estimateTextTokens): number {
  return CALL_OVERHEAD + countTokens(`${tool.name}\n${tool.description}\n${JSON.stringify(tool.inputSchema) ?? ''}`);
}
