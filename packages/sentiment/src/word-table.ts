import { hashOf, hashStart, PRIME, STEM_LENGTH, STEM_START, stemHash } from './hash-text.js';
import { KIND } from './tokens.js';

/** Numbers a slot: hash, check, number. */
const SLOT = 3;
const START = /* @__PURE__ */ hashStart(KIND.word);

/**
 * Words and their numbers, from 1. A word is found by what reading it gives, its hashes and its length, so that it need
 * not be cut out of its text: most words of a text are looked up only to learn that nobody knows them.
 *
 * @remarks Two words count as one when hash, hash of the beginning and length all agree: by chance one in 2 ** 64.
 */
export class WordTable {
  /** Open addressing: a slot whose number is 0 is free, and two in five are. */
  private readonly slots: Int32Array;
  private readonly last: number;

  /** @param words - Each once. */
  constructor(words: ReadonlySet<string> | ReadonlyMap<string, unknown>) {
    let size = 16;
    while (words.size > 0.6 * size) size *= 2;
    this.slots = new Int32Array(size * SLOT);
    this.last = size - 1;
    let number = 0;
    for (const word of words.keys()) {
      number += 1;
      this.place(word, number);
    }
  }

  /** The number of a word, or 0. */
  numberOf(word: string): number {
    return this.find(hashOf(word, KIND.word), stemHash(word), word.length);
  }

  /** As {@link numberOf}, by what `scanWord` gives. */
  find(hash: number, stem: number, length: number): number {
    const { slots, last } = this;
    const check = checkOf(stem, length);
    for (let at = firstSlot(hash, last); ; at = nextSlot(at, last)) {
      const number = slots[at * SLOT + 2] as number;
      if (number === 0 || (slots[at * SLOT] === hash && slots[at * SLOT + 1] === check)) return number;
    }
  }

  /** `hashOf` and `stemHash` in one walk, without calls: thousands of words are placed before the engine has optimised them. */
  private place(word: string, number: number): void {
    const { slots, last } = this;
    const { length } = word;
    let hash = START;
    let stem = STEM_START;
    for (let at = 0; at < length; at += 1) {
      const code = word.charCodeAt(at);
      hash = Math.imul(hash ^ code, PRIME);
      if (at < STEM_LENGTH) stem = Math.imul(stem ^ code, PRIME);
    }
    let at = firstSlot(hash, last);
    while (slots[at * SLOT + 2] !== 0) at = nextSlot(at, last);
    slots[at * SLOT] = hash;
    slots[at * SLOT + 1] = checkOf(stem, length);
    slots[at * SLOT + 2] = number;
  }
}

function firstSlot(hash: number, last: number): number {
  return (hash ^ (hash >>> 15)) & last;
}

function nextSlot(slot: number, last: number): number {
  return (slot + 1) & last;
}

function checkOf(stem: number, length: number): number {
  return stem ^ Math.imul(length, 0x9e3779b1);
}
