import { EMOJI } from './lexicon/emoji.js';
import { CUES, type Cue } from './lexicon/language-source.js';
import { once } from './once.js';

export interface EmojiEntry {
  /** -5 to 5. */
  readonly value: number;
  /** Bits in the order of `CUES`. */
  readonly cues: number;
}

/** What emoji, faces and shortcodes say, in every language. */
export const emojiTable: () => ReadonlyMap<string, EmojiEntry> = /* @__PURE__ */ once(() => {
  const table = new Map<string, EmojiEntry>();
  for (const line of EMOJI.split('\n')) {
    const colon = line.indexOf(': ');
    const [value, cue] = line.slice(0, colon).split(' ');
    const entry = { value: Number(value), cues: cue === undefined ? 0 : 1 << CUES.indexOf(cue as Cue) };
    for (const sign of line.slice(colon + 2).split(' ')) table.set(sign, entry);
  }
  return table;
});
