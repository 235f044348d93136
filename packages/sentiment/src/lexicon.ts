import { spelled } from './contractions.js';
import { AFINN } from './data/afinn.generated.js';
import { DE } from './lexicon/de.js';
import { EN } from './lexicon/en.js';
import { ES } from './lexicon/es.js';
import { FR } from './lexicon/fr.js';
import { IT } from './lexicon/it.js';
import { JA } from './lexicon/ja.js';
import { CUES, type LanguageSource, MARKS, type Mark } from './lexicon/language-source.js';
import { NL } from './lexicon/nl.js';
import { PT } from './lexicon/pt.js';
import { ZH } from './lexicon/zh.js';
import { once } from './once.js';

/** What a word does in its language, as bits. */
export const ROLE = {
  negator: 1,
  booster: 2,
  damper: 4,
  filler: 8,
  contrast: 16,
  second: 32,
  third: 64,
  request: 128,
} as const;

/**
 * One language, compiled. Words have ids from 1; a phrase is a path through places. Kept as flat lists of numbers:
 * thirty thousand small objects would take longer to make than all else that loading does.
 */
export interface Lexicon {
  readonly language: string;
  readonly ids: ReadonlyMap<string, number>;
  /** By word id: -5 to 5, AFINN's scale; 0 where the word has no value. */
  readonly values: readonly number[];
  /** By word id: bits of {@link ROLE}. */
  readonly roles: readonly number[];
  /** By word id: marks, each a {@link markBit}. Those of several words stand with the phrases. */
  readonly marks: readonly number[];
  /** By word id: the first edge of the phrases that begin with the word, or 0. */
  readonly starts: readonly number[];
  /** By word id: the words that may follow in a phrase, each as its {@link followBit}; 0 for a word that begins no phrase. */
  readonly follows: readonly number[];
  /** By edge: word id, place it leads to, next edge of the same place or 0. */
  readonly edgeWord: readonly number[];
  readonly edgeTo: readonly number[];
  readonly edgeNext: readonly number[];
  /** By place: its first edge or 0, the place that follows without a word or 0, cues that end here. */
  readonly placeEdge: readonly number[];
  readonly placeSkip: readonly number[];
  /** By place: as {@link follows}. */
  readonly placeFollows: readonly number[];
  /** Bits in the order of `CUES`; above them a phrase's own value, see {@link phraseValue}, and {@link phraseMarks}. */
  readonly placeCues: readonly number[];
}

/** Above the cues stands the value of a phrase that has one of its own: value plus 16; above it the marks. */
const VALUE_SHIFT = CUES.length;
const CUE_MASK = (1 << VALUE_SHIFT) - 1;
const VALUE_MASK = 31;
const MARK_SHIFT = VALUE_SHIFT + 5;
const SAID_MASK = (1 << MARK_SHIFT) - 1;

/** The value that {@link Lexicon.placeCues} holds beside the cues, or `undefined`. */
export function phraseValue(cues: number): number | undefined {
  const value = (cues >>> VALUE_SHIFT) & VALUE_MASK;
  return value === 0 ? undefined : value - 16;
}

/** The cues alone. */
export function phraseCues(cues: number): number {
  return cues & CUE_MASK;
}

/** Cues and value, without the marks. */
export function phraseSaid(cues: number): number {
  return cues & SAID_MASK;
}

/** The marks, each a {@link markBit}. */
export function phraseMarks(cues: number): number {
  return cues >>> MARK_SHIFT;
}

/** A mark among those of a phrase. */
export function markBit(mark: Mark): number {
  return 1 << MARKS.indexOf(mark);
}

/** A phrase of one word: whatever follows, there is a match. */
export const ANY_FOLLOWS = -1;

/** One bit for a word; several words share it. None for 0, the unknown word. */
export function followBit(word: number): number {
  return word === 0 ? 0 : 1 << (word & 31);
}

/** Builds a {@link Lexicon} by walking its strings once; little is allocated, since loading waits for this. */
class Builder {
  readonly ids = new Map<string, number>();
  readonly values = [0];
  readonly roles = [0];
  readonly marks = [0];
  readonly starts = [0];
  readonly follows = [0];
  readonly edgeWord = [0];
  readonly edgeTo = [0];
  readonly edgeNext = [0];
  readonly placeEdge = [0];
  readonly placeSkip = [0];
  readonly placeCues = [0];
  readonly placeFollows: number[] = [];

  constructor(
    readonly language: string,
    private readonly isCjk: boolean,
  ) {}

  id(listed: string): number {
    // Texts have their words in this spelling too: German `im` and Dutch `u` would else never be met.
    const word = this.language === 'en' ? listed : spelled(listed);
    const known = this.ids.get(word);
    if (known !== undefined) return known;
    const id = this.values.length;
    this.ids.set(word, id);
    this.values.push(0);
    this.roles.push(0);
    this.marks.push(0);
    this.starts.push(0);
    this.follows.push(0);
    return id;
  }

  /** Lines of `value:word,word`. A word of several tokens becomes a phrase with that value. */
  addValues(lines: string): void {
    for (const line of lines.split('\n')) {
      const colon = line.indexOf(':');
      const value = Number(line.slice(0, colon));
      for (const word of line.slice(colon + 1).split(',')) {
        if (this.isCjk ? word.length === 1 : !word.includes(' ')) this.values[this.id(word)] = value;
        else if (value !== 0) this.addPhrases(word, (value + 16) << VALUE_SHIFT);
      }
    }
  }

  addRoles(words: string, role: number): void {
    if (words === '') return;
    for (const word of words.split(' ')) {
      const id = this.id(word);
      this.roles[id] = (this.roles[id] ?? 0) | role;
    }
  }

  /** Words and phrases divided by `|`. */
  addMarks(list: string, bit: number): void {
    for (const one of list.split('|')) {
      if (this.isCjk ? one.length > 1 : one.includes(' ')) this.addPhrases(one, bit << MARK_SHIFT);
      else {
        const id = this.id(one);
        this.marks[id] = (this.marks[id] ?? 0) | bit;
      }
    }
  }

  /** Phrases divided by `|`; each ends at a place that gets `bits`. */
  addPhrases(phrases: string, bits: number): void {
    // Where the next word may follow: the root, a place, or both after an optional first word.
    let fromRoot = true;
    let from = 0;
    // Inside braces: where all alternatives meet, and where the present one has come to (0: nowhere yet).
    let meet = 0;
    let inside = 0;
    const length = phrases.length;
    for (let at = 0; at <= length; at += 1) {
      const code = at === length ? BAR : phrases.charCodeAt(at);
      if (code === SPACE) continue;
      if (code === BAR) {
        this.endPhrase(from, bits);
        fromRoot = true;
        from = 0;
      } else if (code === OPEN) {
        meet = this.place();
        inside = 0;
        if (phrases.charCodeAt(at + 1) === COMMA) inside = OPTIONAL;
      } else if (code === CLOSE || (code === COMMA && meet !== 0)) {
        if (inside === OPTIONAL && from !== 0) this.placeSkip[from] = meet;
        const wasOptional = inside === OPTIONAL;
        inside = 0;
        if (code === CLOSE) {
          fromRoot = fromRoot && this.optionalRoot;
          this.optionalRoot = false;
          from = meet;
          meet = 0;
        } else if (wasOptional && fromRoot) this.optionalRoot = true;
      } else {
        const end = this.isCjk ? at + 1 : wordStop(phrases, at);
        const word = this.id(phrases.slice(at, end));
        const next = this.isCjk ? phrases.charCodeAt(end) : afterSpaces(phrases, end);
        const isLast = meet === 0 || next === COMMA || next === CLOSE;
        // Phrases that begin alike share their places; not where alternatives follow, whose ways must not mix.
        const isPlain = meet === 0 && next !== OPEN && fromRoot === (from === 0);
        const shared = isPlain ? this.sharedPlace(from, word) : 0;
        const target = meet !== 0 && isLast ? meet : shared || this.place();
        if (isPlain) this.isShared[target] = true;
        if (inside > 0) this.edge(inside, word, target);
        else if (shared === 0) {
          if (fromRoot) this.edge(0, word, target);
          if (from !== 0) this.edge(from, word, target);
        }
        if (meet === 0) {
          fromRoot = false;
          from = target;
        } else inside = target;
        at = end - 1;
      }
    }
  }

  /** To be called when all phrases are there. */
  addFollows(): void {
    for (let place = 0; place < this.placeEdge.length; place += 1) {
      let bits = 0;
      for (let edge = this.placeEdge[place] ?? 0; edge !== 0; edge = this.edgeNext[edge] ?? 0) bits |= followBit(this.edgeWord[edge] ?? 0);
      this.placeFollows.push(bits);
    }
    for (let word = 1; word < this.starts.length; word += 1) {
      let bits = 0;
      for (let edge = this.starts[word] ?? 0; edge !== 0; edge = this.edgeNext[edge] ?? 0)
        for (let place = this.edgeTo[edge] ?? 0; place !== 0; place = this.placeSkip[place] ?? 0)
          bits |= this.placeCues[place] === 0 ? (this.placeFollows[place] ?? 0) : ANY_FOLLOWS;
      this.follows[word] = bits;
    }
  }

  private optionalRoot = false;
  private readonly isShared: boolean[] = [];

  private place(): number {
    this.placeEdge.push(0);
    this.placeSkip.push(0);
    return this.placeCues.push(0) - 1;
  }

  /** The place that a plain phrase before went to with this word, or 0. */
  private sharedPlace(from: number, word: number): number {
    const first = from === 0 ? this.starts[word] : this.placeEdge[from];
    for (let edge = first ?? 0; edge !== 0; edge = this.edgeNext[edge] ?? 0) {
      const to = this.edgeTo[edge] ?? 0;
      if (this.edgeWord[edge] === word && this.isShared[to]) return to;
    }
    return 0;
  }

  /** A phrase may be listed for several cues; of two values the later one counts. */
  private endPhrase(place: number, bits: number): void {
    const before = this.placeCues[place] ?? 0;
    this.placeCues[place] = (phraseValue(bits) === undefined ? before : phraseCues(before)) | bits;
  }

  private edge(from: number, word: number, to: number): void {
    this.edgeWord.push(word);
    this.edgeTo.push(to);
    // Place 0 is the root of all phrases: its edges hang on their word.
    if (from === 0) this.starts[word] = this.edgeNext.push(this.starts[word] ?? 0) - 1;
    else this.placeEdge[from] = this.edgeNext.push(this.placeEdge[from] ?? 0) - 1;
  }
}

const SPACE = 32;
const COMMA = 44;
const OPEN = 123;
const BAR = 124;
const CLOSE = 125;
/** Stands in for a place while an empty alternative is read. */
const OPTIONAL = -1;

/** The end of a word: the next space or sign of the pattern language. A comma counts only inside braces. */
function wordStop(text: string, from: number): number {
  let at = from + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === SPACE || code === BAR || code === CLOSE || code === COMMA || code === OPEN) break;
  }
  return at;
}

function afterSpaces(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === SPACE) at += 1;
  return text.charCodeAt(at);
}

function compile(source: LanguageSource): Lexicon {
  const builder = new Builder(source.language, source.language === 'zh' || source.language === 'ja');
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
  builder.addFollows();
  return builder;
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
