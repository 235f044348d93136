import { createHash } from 'node:crypto';
import type { Block } from '@x/core';

/** The hash of an empty list of notes. */
export const NO_BLOCKS = '';

/** How a conversation's notes get from the stored list to a new one. */
export interface BlockChange {
  /** The hash of the new list: of its last note and of the list before it, so that a longer list costs only what is new. */
  readonly hash: string;
  /** How many of the stored notes stay; when fewer than there are, all of them go and `add` is the whole list. */
  readonly keep: number;
  /** The JSON of the notes to write from `keep` on. */
  readonly add: readonly string[];
}

/** Remembers the last list of each conversation that this process wrote, to tell what is new without reading it again. */
export interface BlockChain {
  /** @param stored - What the table says of the stored list. */
  change(conversation: number | string, stored: { readonly hash: string; readonly count: number }, blocks: readonly Block[]): BlockChange;
}

export function createBlockChain(): BlockChain {
  const known = new Map<number | string, { readonly hash: string; readonly blocks: readonly Block[] }>();
  return {
    change(conversation, stored, blocks) {
      const before = known.get(conversation);
      const isKnown =
        before?.hash === stored.hash &&
        before.blocks.length === stored.count &&
        before.blocks.every((block, index) => block === blocks[index] || equal(block, blocks[index]));
      let { hash } = stored;
      let keep = stored.count;
      if (!isKnown) {
        hash = chain(NO_BLOCKS, blocks.slice(0, stored.count).map(bodyOf));
        if (hash !== stored.hash || blocks.length < stored.count) [hash, keep] = [NO_BLOCKS, 0];
      }
      const add = blocks.slice(keep).map(bodyOf);
      hash = chain(hash, add);
      known.set(conversation, { hash, blocks });
      return { hash, keep, add };
    },
  };
}

function chain(start: string, bodies: readonly string[]): string {
  return bodies.reduce((hash, body) => createHash('sha256').update(hash).update(body).digest('hex'), start);
}

const bodyOf = ({ before, part, text }: Block): string => JSON.stringify({ before, part, text });

const equal = (a: Block, b: Block | undefined): boolean => a.before === b?.before && a.part === b.part && a.text === b.text;
