import type { Block, Layout } from '@x/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOverheadCounter } from './prefix-memory.js';

const layoutOf = (blocks: readonly Block[]): Layout => ({
  stable: { system: 'You are a tutor.' },
  tools: [],
  history: [],
  blocks,
  volatile: {},
  current: [{ id: 'now', role: 'user', origin: 'user', content: 'And?' }],
});

test('notes are counted alike by who counted the list before and by who did not, however it grows and shrinks', () =>
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(4), fc.array(fc.lorem({ maxCount: 4 }), { maxLength: 3 })), { minLength: 1, maxLength: 12 }),
      (steps) => {
        const count = createOverheadCounter();
        let blocks: readonly Block[] = [];
        for (const [gone, texts] of steps) {
          blocks = [...blocks.slice(0, Math.max(0, blocks.length - gone)), ...texts.map((text) => ({ before: 'a', part: 'state', text }))];
          expect(count(layoutOf(blocks))).toBe(createOverheadCounter()(layoutOf(blocks)));
        }
      },
    ),
  ));
