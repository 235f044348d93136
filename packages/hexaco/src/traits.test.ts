import { expect, test } from 'vitest';
import { describeTraits } from './describe-traits.js';
import { LEVEL_TEXTS, LEVELS, levelOf, TRAIT_FACETS } from './trait-levels.js';
import { HEXACO_TRAITS, parseTraits, readTraits } from './traits.js';

test('a trait that is not named is 0.5', () => {
  expect(parseTraits({ openness: 0.9 })).toEqual({
    honesty: 0.5,
    emotionality: 0.5,
    extraversion: 0.5,
    agreeableness: 0.5,
    conscientiousness: 0.5,
    openness: 0.9,
  });
});

test('aliases of honesty and openness are read, and the own name wins', () => {
  const { honesty, openness } = parseTraits({ honestyHumility: 0.2, honesty: 0.7, openness_to_experience: '0.3' });
  expect({ honesty, openness }).toEqual({ honesty: 0.7, openness: 0.3 });
  expect(parseTraits({ honesty: 0.7, honestyHumility: 0.2 }).honesty).toBe(0.7);
});

test.each([[85], [-0.1], [9.2e124], [Number.NaN], [Number.POSITIVE_INFINITY], ['high'], [null], ['']])(
  'a score of %s is refused, not clamped',
  (score) => {
    expect(() => parseTraits({ openness: score })).toThrowError(expect.objectContaining({ code: 'traits_invalid' }));
  },
);

test('unknown names and prototype names are refused', () => {
  expect(readTraits(JSON.parse('{"charisma": 0.5, "__proto__": 0.1}')).problems).toEqual([
    'there is no trait "charisma"',
    'there is no trait "__proto__"',
  ]);
});

test('nine levels of six traits give 54 different texts', () => {
  const all = HEXACO_TRAITS.flatMap((trait) => LEVEL_TEXTS[trait]);
  expect(new Set(all).size).toBe(LEVELS * HEXACO_TRAITS.length);
  const described = HEXACO_TRAITS.flatMap((trait) =>
    Array.from({ length: LEVELS }, (_, level) => describeTraits({ [trait]: (level + 0.5) / LEVELS })),
  );
  expect(new Set(described).size).toBe(54);
});

test('levels rise with the score and cover both ends', () => {
  const levels = Array.from({ length: 1001 }, (_, step) => levelOf(step / 1000));
  expect(levels).toEqual(levels.toSorted((a, b) => a - b));
  expect([levelOf(0), levelOf(0.5), levelOf(1)]).toEqual([0, 4, 8]);
});

test('a persona without traits adds nothing to the prompt', () => {
  expect(describeTraits({})).toBe('');
});

test('the order of keys does not change a byte', () => {
  expect(describeTraits({ openness: 0.9, honesty: 0.1 })).toBe(describeTraits({ honesty: 0.1, openness: 0.9 }));
});

test('every trait has four facets', () => {
  expect(HEXACO_TRAITS.map((trait) => TRAIT_FACETS[trait].length)).toEqual([4, 4, 4, 4, 4, 4]);
});
