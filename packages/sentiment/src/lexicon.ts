import { AFINN } from './data/afinn.generated.js';
import { DE } from './lexicon/de.js';
import { EN } from './lexicon/en.js';
import { ES } from './lexicon/es.js';
import { FR } from './lexicon/fr.js';
import { IT } from './lexicon/it.js';
import { JA } from './lexicon/ja.js';
import { CUES, type LanguageSource, MARKS } from './lexicon/language-source.js';
import { NL } from './lexicon/nl.js';
import { PT } from './lexicon/pt.js';
import { ZH } from './lexicon/zh.js';
import { LexiconBuilder } from './lexicon-builder.js';
import { once } from './once.js';
import { markBit } from './phrase-bits.js';
import { ROLE } from './word-bits.js';
import type { WordTable } from './word-table.js';

/**
 * One language, compiled. Words have ids from 1; a phrase is a path through places. Kept as flat lists of numbers:
 * thirty thousand small objects would take longer to make than all else that loading does.
 */
export interface Lexicon {
  readonly language: string;
  readonly ids: WordTable;
  /** By word id: see `wordBits`. */
  readonly words: Int32Array;
  /** By word id: the first edge of the phrases that begin with the word, or 0. */
  readonly starts: Int32Array;
  /** By word id: what phrases say that end with their first word, as `placeCues`; few words may be looked at further. */
  readonly alone: Int32Array;
  /** Which words may follow which, and which place, in a phrase, as bits; see {@link mayFollow}. */
  readonly pairs: Int32Array;
  /** By edge: word id, place it leads to, next edge of the same place or 0. */
  readonly edgeWord: Int32Array;
  readonly edgeTo: Int32Array;
  readonly edgeNext: Int32Array;
  /** By place: its first edge or 0, the place that follows without a word or 0, cues that end here. */
  readonly placeEdge: Int32Array;
  readonly placeSkip: Int32Array;
  /** Bits in the order of `CUES`; above them a phrase's own value and its marks, see `phrase-bits.ts`. */
  readonly placeCues: Int32Array;
}

function compile(source: LanguageSource): Lexicon {
  const builder = new LexiconBuilder(source.language, source.language === 'zh' || source.language === 'ja');
  if (source.language === 'en') builder.addValues(AFINN);
  builder.addValues(source.values);
  CUES.forEach((cue, index) => {
    const phrases = source.phrases[cue];
    if (phrases !== undefined) builder.addPhrases(phrases, 1 << index);
  });
  for (const mark of MARKS) builder.addMarks(source.marks[mark], markBit(mark));
  builder.addRoles(source.negators, ROLE.negator);
  builder.addRoles(source.boosters, ROLE.booster);
  builder.addRoles(source.dampers, ROLE.damper);
  builder.addRoles(source.fillers, ROLE.filler);
  builder.addRoles(source.contrasts, ROLE.contrast);
  builder.addRoles(source.second, ROLE.second);
  builder.addRoles(source.third, ROLE.third);
  builder.addRoles(source.requests, ROLE.request);
  return builder.build();
}

const SOURCES: readonly LanguageSource[] = [EN, DE, ES, FR, IT, PT, NL, ZH, JA];
const MAKERS: ReadonlyMap<string, () => Lexicon> = /* @__PURE__ */ new Map(
  SOURCES.map((source) => [source.language, once(() => compile(source))] as const),
);

/** The languages that have a lexicon, English first. */
export const LEXICON_LANGUAGES: readonly string[] = /* @__PURE__ */ SOURCES.map((source) => source.language);

/** The lexicon of a language, compiled when it is first asked for; `undefined` when there is none. */
export function lexiconOf(language: string): Lexicon | undefined {
  return MAKERS.get(language)?.();
}
