import { spelled } from './contractions.js';
import type { Lexicon } from './lexicon.js';
import { phraseCues, phraseMarkBits, phraseValue, phraseValueBits } from './phrase-bits.js';
import { addPair, behind, PAIR_CELLS } from './phrase-pairs.js';
import { saidAlone } from './scan-phrases.js';
import { wordBits } from './word-bits.js';
import { WordTable } from './word-table.js';

/** Builds a {@link Lexicon} by walking its strings once; little is allocated, since loading waits for this. */
export class LexiconBuilder {
  private readonly ids = new Map<string, number>();
  private readonly values = [0];
  private readonly roles = [0];
  private readonly marks = [0];
  private readonly starts = [0];
  private readonly edgeWord = [0];
  private readonly edgeTo = [0];
  private readonly edgeNext = [0];
  private readonly placeEdge = [0];
  private readonly placeSkip = [0];
  private readonly placeCues = [0];
  private readonly pairs = new Int32Array(PAIR_CELLS);

  constructor(
    private readonly language: string,
    private readonly isCjk: boolean,
  ) {}

  private id(listed: string): number {
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
    return id;
  }

  /** Lines of `value:word,word`. A word of several tokens becomes a phrase with that value. */
  addValues(lines: string): void {
    for (const line of lines.split('\n')) {
      const colon = line.indexOf(':');
      const value = Number(line.slice(0, colon));
      for (const word of line.slice(colon + 1).split(',')) {
        if (this.isCjk ? word.length === 1 : !word.includes(' ')) this.values[this.id(word)] = value;
        else if (value !== 0) this.addPhrases(word, phraseValueBits(value));
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
      if (this.isCjk ? one.length > 1 : one.includes(' ')) this.addPhrases(one, phraseMarkBits(bit));
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
    const pieces = phrases.match(this.isCjk ? CHARACTERS : PIECES) ?? [];
    for (let at = 0; at <= pieces.length; at += 1) {
      const piece = pieces[at] ?? '|';
      if (piece === '|') {
        this.endPhrase(from, bits);
        fromRoot = true;
        from = 0;
      } else if (piece === '{') {
        meet = this.place();
        inside = pieces[at + 1] === ',' ? OPTIONAL : 0;
      } else if (piece === '}' || (piece === ',' && meet !== 0)) {
        if (inside === OPTIONAL && from !== 0) this.placeSkip[from] = meet;
        const wasOptional = inside === OPTIONAL;
        inside = 0;
        if (piece === '}') {
          fromRoot = fromRoot && this.optionalRoot;
          this.optionalRoot = false;
          from = meet;
          meet = 0;
        } else if (wasOptional && fromRoot) this.optionalRoot = true;
      } else {
        const word = this.id(piece);
        const next = pieces[at + 1];
        const isLast = meet === 0 || next === ',' || next === '}';
        // Phrases that begin alike share their places; not where alternatives follow, whose ways must not mix.
        const isPlain = meet === 0 && next !== '{' && fromRoot === (from === 0);
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
      }
    }
  }

  /** To be called when all is added. */
  build(): Lexicon {
    this.addSeconds();
    const lexicon: Lexicon = {
      language: this.language,
      ids: new WordTable(this.ids),
      words: this.words(),
      alone: new Int32Array(this.values.length),
      starts: new Int32Array(this.starts),
      pairs: this.pairs,
      edgeWord: new Int32Array(this.edgeWord),
      edgeTo: new Int32Array(this.edgeTo),
      edgeNext: new Int32Array(this.edgeNext),
      placeEdge: new Int32Array(this.placeEdge),
      placeSkip: new Int32Array(this.placeSkip),
      placeCues: new Int32Array(this.placeCues),
    };
    for (const word of this.complete) lexicon.alone[word] = saidAlone(lexicon, word);
    return lexicon;
  }

  private words(): Int32Array {
    const words = new Int32Array(this.values.length);
    for (let word = 1; word < words.length; word += 1)
      words[word] = wordBits(this.values[word] ?? 0, this.roles[word] ?? 0, this.marks[word] ?? 0, this.starts[word] !== 0);
    return words;
  }

  /** Notes which words may follow the first of a phrase, and which are phrases already. */
  private addSeconds(): void {
    for (let word = 1; word < this.starts.length; word += 1)
      for (let edge = this.starts[word] ?? 0; edge !== 0; edge = this.edgeNext[edge] ?? 0)
        for (let place = this.edgeTo[edge] ?? 0; place !== 0; place = this.placeSkip[place] ?? 0) {
          if (this.placeCues[place] !== 0) this.complete.add(word);
          for (let second = this.placeEdge[place] ?? 0; second !== 0; second = this.edgeNext[second] ?? 0)
            addPair(this.pairs, word, this.edgeWord[second] ?? 0);
        }
  }

  private optionalRoot = false;
  private readonly isShared: boolean[] = [];
  private readonly complete = new Set<number>();

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
    else {
      this.placeEdge[from] = this.edgeNext.push(this.placeEdge[from] ?? 0) - 1;
      addPair(this.pairs, behind(from), word);
    }
  }
}

/** Words and signs of the pattern language. A comma is one only inside braces, else a word. */
const PIECES = /[^ |{},]+|[|{},]/g;
const CHARACTERS = /[^ ]/g;
/** Stands in for a place while an empty alternative is read. */
const OPTIONAL = -1;
