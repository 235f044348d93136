import { emojiTable } from './emoji-table.js';
import { addCues, type Findings } from './findings.js';
import { PICTURES } from './lexicon/emoji.js';
import { KIND, type Tokens, textOf } from './tokens.js';

/** How many tokens around an emoji may say that it is a picture: "a 🔥 icon". Ours. */
const NEAR = 4;

/** Reads an emoji, a face or a shortcode. */
export function takeSign(found: Findings, tokens: Tokens, index: number): void {
  const text = textOf(tokens, index);
  const entry = emojiTable().get(text);
  if (entry === undefined || isPicture(tokens, index)) return;
  addCues(found, entry.cues, index);
  found.hits.push({ kind: 'emoji', shown: index, at: index, end: index + 1, weight: entry.value, cues: entry.cues });
}

function isPicture(tokens: Tokens, index: number): boolean {
  let around = '';
  for (let at = Math.max(0, index - NEAR); at <= index + NEAR && at < tokens.size; at += 1) {
    const text = textOf(tokens, at);
    around += tokens.kinds[at] === KIND.cjk ? text : ` ${text} `;
  }
  return PICTURES.test(around);
}
