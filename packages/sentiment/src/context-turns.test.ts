import { expect, test } from 'vitest';
import { contextTurns } from './context-turns.js';
import { detectAffect } from './index.js';

test('a message is the same turn each time, and another one once its text is another', () => {
  const message = { role: 'user', content: 'It does not work.' };
  const [first] = contextTurns([message]);
  expect(contextTurns([message, { role: 'assistant', content: 'Hm.' }])[0]).toBe(first);
  message.content = 'Lovely.';
  expect(contextTurns([message])).toEqual([{ role: 'user', text: 'Lovely.' }]);
  message.role = 'assistant';
  expect(contextTurns([message])).toEqual([{ role: 'assistant', text: 'Lovely.' }]);
});

test('a turn that is read again says what it said, in each language, and what it says now when it was changed', () => {
  const texts = ['Still the same error!', 'Es geht immer noch nicht.', 'Thanks, that is great.'];
  const turns = () => [
    { role: 'user' as const, text: 'It does not work, the build fails again.' },
    { role: 'assistant' as const, text: 'Sorry, I fixed it.' },
    { role: 'user' as const, text: 'Das ist schon wieder kaputt.' },
  ];
  const kept = turns();
  for (const text of [...texts, ...texts]) expect(detectAffect(text, { context: kept })).toEqual(detectAffect(text, { context: turns() }));
  const changed = turns();
  kept[0]!.text = changed[0]!.text = texts[0]!;
  expect(detectAffect(texts[0]!, { context: kept })).toEqual(detectAffect(texts[0]!, { context: changed }));
  expect(detectAffect(texts[0]!, { context: kept })).not.toEqual(detectAffect(texts[0]!, { context: turns() }));
});
