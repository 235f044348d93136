import { describe, expect, test } from 'vitest';
import { detectAffect } from './detect-affect.js';
import { sentimentHook } from './sentiment-hook.js';
import { StatisticalUtilityAI } from './statistical-utility.js';

const scoreOf = (text: string, language?: string): number | null => detectAffect(text, { language }).score;
const events = (text: string, language?: string): string[] => {
  const reading = detectAffect(text, { language });
  return (['frustrated', 'confused', 'satisfied'] as const).filter((event) => reading[event] >= 0.5);
};

// Kind K24: a score is finite or null; unknown is not neutral; words are Unicode; no stem collides; no dilution.
test.each(['', '   ', '?!', '...', '\u0000', '\ud800'])('a text without words scores null or a finite number: %j', (text) => {
  const { score, confidence } = detectAffect(text);
  expect(score === null || Number.isFinite(score)).toBe(true);
  if (score === null) expect(confidence).toBe(0);
});
test('faces and emoji alone are read', () => {
  expect(scoreOf('😡😡😡')).toBeLessThan(-0.3);
  expect(scoreOf(':(')).toBeLessThan(-0.05);
  expect(scoreOf('❤️')).toBe(scoreOf('❤'));
  expect(scoreOf('👍🏽')).toBe(scoreOf('👍'));
});
test.each(['Где мой заказ? Это ужасно.', 'هذا سيء للغاية', '이건 정말 끔찍해요', 'Det här är inte alls bra, jag är arg på er'])(
  'a language without a lexicon is unknown, not neutral: %s',
  (text) => {
    expect(detectAffect(text)).toMatchObject({ score: null, confidence: 0, frustrated: 0, confused: 0, satisfied: 0 });
  },
);
test('a caller who names a language without a lexicon gets null', () => {
  expect(scoreOf('xyzzy plugh', 'ru')).toBeNull();
});
test('"fine" is no stem of something bad', () => {
  expect(scoreOf('this is fine')).toBeGreaterThanOrEqual(-0.05);
});
test('German words are not read as English ones', () => {
  expect(scoreOf('die Antwort ist gut')).toBeGreaterThan(0.05);
  expect(detectAffect('die Antwort ist gut').language).toBe('de');
});
test('one strong word is not drowned by two hundred plain ones', () => {
  expect(scoreOf(`terrible ${'the table stands in the room next to the door '.repeat(20)}`)).toBeLessThan(-0.3);
});
test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty wordValue', 'constructor constructor'])(
  'the name of an object member is a word like any other: %s',
  (text) => {
    const { score } = detectAffect(text, { language: 'en' });
    expect(score === null || Math.abs(score) <= 0.05).toBe(true);
  },
);
test('a method that does not exist is refused by name', async () => {
  const utility = new StatisticalUtilityAI();
  await expect(utility.analyzeSentiment('x', { method: 'afin' as 'llm' })).rejects.toMatchObject({ code: 'invalid_argument' });
});
test.each([
  ['I hate you!', -1],
  ['I love you!', 1],
  ['You are useless', -1],
  ['This is awesome', 1],
  ['worst answer ever', -1],
  ['Thank you so much', 1],
])('obvious sentences are obvious: %s', (text, side) => {
  expect((scoreOf(text) ?? 0) * side).toBeGreaterThan(0.3);
});

// Kind K25: contractions, scope, idioms, capitals as strength only.
test.each([
  "I don't like this",
  'I don’t like this',
  "it isn't good",
  'it isn’t good',
  'can’t stand it',
  'does not work',
  'fed up',
  "can't stand this",
])('negative: %s', (text) => {
  expect(scoreOf(text)).toBeLessThan(-0.05);
});
test.each(['No problem, this is great, thank you', 'Not bad at all.', 'never not fun', 'cool stuff'])('positive: %s', (text) => {
  expect(scoreOf(text)).toBeGreaterThan(0.05);
});
test.each(['No problems or complaints', 'not unhappy', 'I do not care, this is great'])('not negative: %s', (text) => {
  expect(scoreOf(text)).toBeGreaterThanOrEqual(-0.05);
});
test('capitals make a feeling stronger and are none by themselves', () => {
  expect(scoreOf('New website is HORRIBLE')).toBeLessThan(-0.5);
  expect(scoreOf('New website is HORRIBLE')).toBeLessThanOrEqual(scoreOf('New website is horrible') ?? 0);
  expect(events('RUN THE SUITE ON THE STAGING MACHINE')).toEqual([]);
});

// Kind K26: what a machine or another person wrote is not the writer's feeling.
test.each([
  'Error: connection refused. fatal error, abort',
  'fix the bug in the failed login handler',
  'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\nValueError: horrible bad awful',
  '```\nthrow new Error("I hate this stupid shit")\n```\nRename it.',
  '> I hate this, it is useless garbage\nAnswer that customer politely.',
  'He said "this is the worst app ever". Add it to the notes.',
  'how do I stop the daemon?',
  'kill the process and drop the dead branch',
])('raises nothing: %j', (text) => {
  expect(events(text)).toEqual([]);
  expect(scoreOf(text) ?? 0).toBeGreaterThan(-0.3);
});

// Kind K27: a weak signal stays weak.
test('sarcasm is seen but not trusted', () => {
  const reading = detectAffect('great, it broke again');
  expect(reading.polarity).toBe('negative');
  expect(reading.confidence).toBeLessThan(0.5);
  expect(reading.evidence.some(({ kind }) => kind === 'sarcasm')).toBe(true);
});
test('agreement is not rejection', () => {
  const reading = detectAffect('no problem, looks good to me');
  expect(reading.frustrated).toBeLessThan(0.5);
  expect(reading.polarity).not.toBe('negative');
});

describe('negation', () => {
  test.each([
    'das funktioniert nicht',
    'das gefällt mir nicht',
    'Das gefällt mir überhaupt nicht!',
    'dat werkt niet goed',
    'dat vind ik niet leuk',
    '好きじゃない',
    '好きではない',
    'isn`t good',
    'no me gusta',
    'non mi piace',
    "at my wits' end",
    'leaves much to be desired',
    "couldn't be worse",
    'je déteste',
  ])('negative: %s', (text) => {
    expect(detectAffect(text)).toMatchObject({ polarity: 'negative' });
    expect(detectAffect(text).satisfied).toBeLessThan(0.5);
  });

  test.each(['zero complaints', 'no issues or errors so far', 'no bugs, crashes or complaints', 'neither problems nor complaints'])(
    'not negative: %s',
    (text) => {
      const { score, frustrated } = detectAffect(text);
      expect(score).toBeGreaterThanOrEqual(-0.05);
      expect(frustrated).toBeLessThan(0.5);
    },
  );

  test.each(['never better', 'me encanta', 'mi piace', 'top notch', 'two thumbs up', 'This is the best'])('positive: %s', (text) => {
    expect(detectAffect(text).score).toBeGreaterThan(0.3);
  });
});

describe('what is not the writer’s own voice', () => {
  test.each([
    '---------- Forwarded message ---------\nFrom: Bob\nI am furious and disappointed.',
    '-----Original Message-----\nFrom: Bob\n\nYou are useless!',
    'Begin forwarded message:\n\nI hate all of it.',
    'Von: Bob\nGesendet: gestern\nIch bin stinksauer.',
    'Le client écrit : « c’est nul, je suis furieux » et il attend',
    'summarise the article about war crimes',
    'Draft a complaint letter about terrible service',
    'Translate to German: I hate you, you are useless',
    'write an essay about suicide prevention',
    'exit code 1: build failed',
    'implement the fatal error screen',
  ])('raises nothing and is not negative: %s', (text) => {
    const { frustrated, confused, satisfied, score } = detectAffect(text);
    expect(Math.max(frustrated, confused, satisfied)).toBeLessThan(0.5);
    expect(score ?? 0).toBeGreaterThan(-0.3);
  });
});

test('praise that is taken back, or stands before a failure, is not trusted', () => {
  expect(detectAffect('wow, so helpful... not').satisfied).toBeLessThan(0.5);
  expect(detectAffect('Brilliant, the site is down').confidence).toBeLessThan(0.5);
  expect(detectAffect('Perfect, now I lost everything').score).toBeLessThan(0);
});

test('a scoring method that does not exist is refused where the hook is made', () => {
  expect(() => sentimentHook({ enabled: true, method: 'afin' as 'llm' })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
});

test('thanks in advance in German are no satisfaction, though the phrase holds a word that English writes for "I am"', () => {
  expect(detectAffect('Vielen Dank im Voraus.', { language: 'de' }).satisfied).toBeLessThan(0.5);
});
