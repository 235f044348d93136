/**
 * What a text is made of, as the pretokenizer of a modern byte-pair encoding sees it: words, groups of digits, runs of
 * signs, breaks, and letters of other scripts. `weighText` adds up a weight for each.
 */
export const FEATURES = [
  // Words of Latin letters, and their letters past the 4th, 8th and 12th: behind a space, behind a sign, behind a letter or digit.
  'spaced',
  'spacedOver4',
  'spacedOver8',
  'spacedOver12',
  'joined',
  'joinedOver4',
  'joinedOver8',
  'joinedOver12',
  'inner',
  'innerOver4',
  'innerOver8',
  'innerOver12',
  'capital',
  'capitalOver4',
  'capitalOver8',
  'upper',
  'upperOver2',
  // Letters with marks: each, those beyond Latin-1 once more, those of Vietnamese instead, and words that hold one.
  'accented',
  'accentedFar',
  'vietnamese',
  'accentedWord',
  // Words and letters of prose that is not English, by how little of it is.
  'foreignLetter',
  'foreignWord',
  'digitGroup',
  'spaceAlone',
  'sign',
  'signMore',
  'signRepeated',
  'break',
  'indent',
  'indentLong',
  // Characters of runs that are data, such as base64 and, with one case of letters only, hashes.
  'dense',
  'denseLower',
  'han',
  'kana',
  'katakana',
  'hangul',
  'cyrillic',
  'cyrillicWord',
  'greek',
  'arabic',
  'arabicWord',
  'hebrew',
  'devanagari',
  'indic',
  'southEastAsian',
  'otherLetter',
  'wideSign',
  'emoji',
] as const;

export type Feature = (typeof FEATURES)[number];

/** The place of each feature among the weights. */
export const FEATURE_AT = Object.fromEntries(FEATURES.map((name, index) => [name, index])) as Record<Feature, number>;
