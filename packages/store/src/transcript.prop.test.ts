import type { Stored } from '@x/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstSeq, planFold, unfold } from './transcript.js';

const message = (content: string, index: number): Stored => ({ id: `m${index}`, role: 'user', content, origin: 'user' });
const originals = fc.array(fc.constantFrom('a', 'b'), { maxLength: 12 }).map((contents) => contents.map(message));
// Parts of the originals in any order and number, and messages of the fold's own.
const choice = fc.array(fc.oneof(fc.nat({ max: 14 }), fc.constant('summary')), { maxLength: 15 });

test('a plan says exactly the history it was made of, from the place it says on, and again after more was said', () => {
  fc.assert(
    fc.property(originals, choice, fc.nat({ max: 3 }), (all, picks, more) => {
      const replace = picks.flatMap((pick) => (pick === 'summary' ? [message('summary', 99)] : (all[Number(pick)] ?? [])));
      const fold = JSON.parse(JSON.stringify(planFold(new Map(all.map((one, seq) => [seq, one])), replace, all.length)));
      const later = Array.from({ length: more }, (_, index) => message('later', 50 + index));
      const readable = new Map([...all, ...later].map((one, seq) => [seq, one] as const).filter(([seq]) => seq >= firstSeq(fold)));
      expect(unfold(fold, readable, all.length + more)).toEqual([...replace, ...later]);
    }),
  );
});

test('a fold that keeps a tail points at it and stores only its summary', () => {
  const all = Array.from({ length: 1000 }, (_, index) => message('x', index));
  const summary = message('summary', 5000);
  const map = new Map(all.map((one, seq) => [seq, one]));
  expect(planFold(map, [summary, ...all.slice(900)], 1000)).toEqual({ segments: [summary], tail: 900 });
  expect(planFold(map, [summary, ...all.slice(100, 200), ...all.slice(900)], 1000)).toEqual({ segments: [summary, [100, 199]], tail: 900 });
  expect(firstSeq({ segments: [summary, [100, 199]], tail: 900 })).toBe(100);
});

test('equal messages are pointed at one by one, never twice', () => {
  const all = [message('a', 1), message('a', 1), message('a', 1)];
  const fold = planFold(new Map(all.map((one, seq) => [seq, one])), [all[0]!, all[0]!], 3);
  expect(fold).toEqual({ segments: [[0, 1]], tail: 3 });
});
