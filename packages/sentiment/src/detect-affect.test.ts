import { expect, test } from 'vitest';
import type { ContextTurn } from './affect.js';
import { detectAffect } from './detect-affect.js';

const events = (text: string, language = 'en', context?: readonly ContextTurn[]): string[] => {
  const reading = detectAffect(text, { language, context });
  return (['frustrated', 'confused', 'satisfied'] as const).filter((event) => reading[event] >= 0.5);
};

test.each([
  ['This is terrible, I hate it and the app is useless.', 'frustrated'],
  ["That's the third time you deleted my tests.", 'frustrated'],
  ["I don't understand what you mean.", 'confused'],
  ['Thank you, that worked great and I love it.', 'satisfied'],
])('%s', (text, event) => {
  expect(events(text)).toEqual([event]);
});

test.each(['Would be cool if this worked on a phone', 'It would be great if you did the rest', 'Would be nice if it worked'])(
  'a polite wish is no feeling: %s',
  (text) => {
    expect(events(text)).toEqual([]);
  },
);

test.each(['Please explain closures.', 'Can you clarify this in the docs?', 'I am in Huhne Street', 'Why does the loop stop?'])(
  'a request is not confusion: %s',
  (text) => {
    expect(events(text)).toEqual([]);
  },
);

test.each([
  ['es', 'Estoy harto, otra vez el mismo error.', 'frustrated'],
  ['fr', "J'en ai marre, ça ne marche toujours pas.", 'frustrated'],
  ['de', 'Schon wieder kaputt, das nervt.', 'frustrated'],
  ['pt', 'De novo esse erro, que saco!', 'frustrated'],
  ['it', 'Sono stufo, ancora lo stesso errore.', 'frustrated'],
  ['nl', 'Alweer kapot, ik ben het zat.', 'frustrated'],
  ['zh', '又报错了，真烦！', 'frustrated'],
  ['ja', 'また同じエラーです。いい加減にしてください。', 'frustrated'],
  ['es', 'No entiendo nada.', 'confused'],
  ['fr', 'Je ne comprends pas.', 'confused'],
  ['de', 'Das verstehe ich nicht.', 'confused'],
  ['pt', 'Não entendi.', 'confused'],
  ['it', 'Non ho capito.', 'confused'],
  ['nl', 'Ik snap het niet.', 'confused'],
  ['zh', '我没看懂。', 'confused'],
  ['ja', 'よく分かりません。', 'confused'],
  ['es', '¡Perfecto, muchas gracias!', 'satisfied'],
  ['fr', 'Parfait, merci beaucoup !', 'satisfied'],
  ['de', 'Super, vielen Dank!', 'satisfied'],
  ['pt', 'Perfeito, muito obrigado!', 'satisfied'],
  ['it', 'Perfetto, grazie mille!', 'satisfied'],
  ['nl', 'Geweldig, bedankt!', 'satisfied'],
  ['zh', '太棒了，谢谢！', 'satisfied'],
  ['ja', '完璧です、ありがとうございます！', 'satisfied'],
])('%s: %s', (language, text, event) => {
  expect(events(text, language)).toEqual([event]);
});

test('a message said again is frustration, the same message once is not', () => {
  const context: ContextTurn[] = [
    { role: 'user', text: 'Please answer in English.' },
    { role: 'assistant', text: 'Claro, aquí tienes el resumen.' },
  ];
  expect(events('Please answer in English.')).toEqual([]);
  expect(events('Please answer in English.', 'en', context)).toEqual(['frustrated']);
});

test('whom a feeling is aimed at is told apart', () => {
  expect(detectAffect('You are useless, stop it.').target).toBe('assistant');
  expect(detectAffect('My boss is terrible, he hates everyone.').target).toBe('other');
  expect(detectAffect('The table stands in the room.').target).toBe('none');
});

test('the evidence names words and rules', () => {
  const { evidence } = detectAffect('Great, it broke again.');
  expect(evidence.map(({ kind, text }) => `${kind}:${text}`)).toEqual(expect.arrayContaining(['word:great', 'sarcasm:sarcasm']));
});

test('calm and loud differ in arousal', () => {
  expect(detectAffect('THIS IS HORRIBLE!!!').arousal).toBeGreaterThan(detectAffect('this is horrible').arousal);
});

test('what is cut off is said', () => {
  const { evidence } = detectAffect(`${'word '.repeat(200_001)}terrible`);
  expect(evidence.some(({ text }) => text.startsWith('beyond '))).toBe(true);
}, 30_000);

test.each([
  ['positive', "I can't thank you enough"],
  ['positive', "it doesn't get better than this"],
  ['positive', 'Without a doubt   excellent idea'],
  ['positive', 'Never once have we been disappointed, keep up the good work'],
  ['positive', 'insanely good'],
  ['positive', 'bloody brilliant'],
  ['positive', 'The cake is to die for.'],
  ['positive', 'I am dying to try it!'],
  ['positive', 'I was wrong, you were right'],
  ['positive', 'satisfying service.'],
  ['positive', '💓'],
  ['positive', 'wtf this is amazing'],
  ['positive', 'hell yeah'],
  ['positive', 'never had a better experience'],
  ['positive', 'So satisfying!'],
  ['positive', 'They never disappoint'],
  ['positive', 'love how you never forget my name'],
  ['positive', 'It should be better now.'],
  ['positive', 'Thanks for deleting my old account'],
  ['positive', 'You were absolutely right'],
  ['positive', 'Thanks for breaking my task into steps'],
  ['negative', 'Thanks for breaking my build'],
  ['negative', "c'est pas terrible"],
  ['negative', '最悪'],
  ['negative', 'insanely slow'],
  ['negative', 'far from perfect'],
  ['negative', 'less than ideal'],
  ['negative', 'hardly useful'],
  ['negative', 'the kiss of death'],
  ['negative', 'without any doubt the worst service'],
  ['negative', "I can't get any better results"],
  ['neutral', 'Could you kindly send it?'],
  ['neutral', 'Find all x satisfying the equation.'],
  ['neutral', 'Write a function satisfying the interface Foo'],
  ['neutral', 'The worker has to die for the new config to load'],
  ['neutral', "Please don't disappoint me"],
  ['neutral', 'ERROR in ./src/app.ts: bad stuff terrible failure'],
])('a phrase says more than its words: %s, %s', (polarity, text) => {
  expect(detectAffect(text).polarity).toBe(polarity);
});

test.each([
  ['I wish it worked', 'satisfied'],
  ['would have been nice if it worked', 'satisfied'],
  ['if only it were good', 'satisfied'],
  ['Wow, thanks for deleting my database', 'satisfied'],
  ['love how it crashes every time', 'satisfied'],
  ["I don't think you were right", 'satisfied'],
  ['I doubt you were right', 'satisfied'],
  ["isn't this great?", 'confused'],
  ["Don't you love it?", 'frustrated'],
])('what is wished for, mocked or asked for is not felt: %s', (text, event) => {
  expect(events(text)).not.toContain(event);
});

test.each([
  'Reply to this review: The food was disgusting and the waiter was rude',
  'Can you analyse the following comment: you are useless idiots',
  'Answer the email: you are useless idiots',
  'Check my email: I hate this product and you are useless',
  '请翻译成英文：我讨厌你，你真没用',
])('what is handed over behind a colon is material: %s', (text) => {
  expect(events(text)).toEqual([]);
});

test.each([
  'Fix this: your answer is useless garbage',
  'Reply: this is terrible, you are useless',
  'Check your message: it is useless garbage',
  'Answer my last message: this is terrible, you are useless',
])('what is said behind a colon is meant: %s', (text) => {
  expect(events(text)).toEqual(['frustrated']);
});
