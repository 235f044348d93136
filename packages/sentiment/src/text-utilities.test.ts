import type { IChatModel, ModelEvent } from '@x/core';
import { expect, test } from 'vitest';
import { HybridUtilityAI } from './hybrid-utility.js';
import { LLMUtilityAI } from './llm-utility.js';
import { StatisticalUtilityAI } from './statistical-utility.js';

/** A model that answers with the given texts in turn and keeps what it was asked. */
function scripted(...replies: string[]) {
  const asked: string[] = [];
  const model: IChatModel = {
    modelId: 'scripted',
    providerId: 'test',
    capabilities: { lateNote: 'fenced-user', mergeUserRuns: false, structuredOutput: false },
    async *stream({ messages }): AsyncGenerator<ModelEvent> {
      asked.push(messages.map(({ content }) => String(content)).join('\n'));
      yield { type: 'text-delta', text: replies[asked.length - 1] ?? '' };
      yield { type: 'model-end', finish: 'stop', usage: {} };
    },
  };
  return { model, asked };
}

const utility = new StatisticalUtilityAI();
const rpg = [
  ...['strike the enemy', 'attack the goblin', 'hit the monster with an axe', 'fight the beast'].map((text) => ({ text, label: 'attack' })),
  ...['put on the helmet', 'equip the shield', 'wear the plate armor', 'put on the boots'].map((text) => ({ text, label: 'equip' })),
  ...['buy a sword', 'purchase a potion from the merchant', 'buy bread in the shop', 'buy an amulet'].map((text) => ({
    text,
    label: 'buy',
  })),
];

test('words keep accents, contractions and scripts; sentences keep titles', async () => {
  expect(await utility.tokenize('This is a test sentence.')).toEqual(['this', 'is', 'a', 'test', 'sentence']);
  expect(await utility.tokenize("Don't café мир")).toEqual(["don't", 'café', 'мир']);
  expect(await utility.tokenize('Dr. Smith left. He was late!', { type: 'sentence' })).toEqual(['Dr. Smith left.', 'He was late!']);
});

test('stems follow the language, and an unknown language changes nothing', async () => {
  expect(await utility.stemTokens(['corriendo'], { language: 'es' })).toEqual(['corr']);
  expect(await utility.stemTokens(['машины'], { language: 'ru' })).toEqual(['машин']);
  expect(await utility.stemTokens(['houses'], { language: 'xx' })).toEqual(['houses']);
}, 30_000);

test('Ukrainian is told from Russian by its letters', async () => {
  const first = async (text: string) => (await utility.detectLanguage(text))[0]?.language;
  expect(await first('Всі люди народжуються вільними і рівними у своїй гідності та правах.')).toBe('uk');
  expect(await first('Все люди рождаются свободными и равными в своем достоинстве и правах.')).toBe('ru');
  expect(await first('Я всё ещё не понимаю, что значит слово «їжак» в этом объявлении.')).toBe('ru');
});

test('a method that there is not is refused, never answered by another', async () => {
  const unknown = (method: string) => method as never;
  const calls = [
    () => utility.summarize('One. Two.', { method: unknown('lex_rank') }),
    () => utility.calculateSimilarity('a', 'b', { method: unknown('embedding_cosine') }),
    () => utility.calculateReadability('One two.', { formula: unknown('gunning_fog') }),
    () => utility.tokenize('One two.', { type: unknown('subword_bpe') }),
    () => new LLMUtilityAI({ model: scripted('x').model }).calculateSimilarity('a', 'b', { method: unknown('embedding_cosine') }),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'not_supported' });
  const byMeaning = utility.calculateSimilarity('a', 'b', { method: 'llm_semantic' });
  await expect(byMeaning).rejects.toMatchObject({ code: 'not_supported', message: expect.stringContaining('LLMUtilityAI') });
});

test('a reply that holds no JSON that parses is repaired once; one that parses is not', async () => {
  const mended = scripted('{"score": 0.4, "polarity": "positive', '{"score": 0.4, "polarity": "positive"}');
  expect((await new LLMUtilityAI({ model: mended.model }).analyzeSentiment('fine')).score).toBe(0.4);
  expect(mended.asked).toHaveLength(2);
  const hopeless = scripted('no idea', 'null');
  const asked = new LLMUtilityAI({ model: hopeless.model }).analyzeSentiment('fine');
  await expect(asked).rejects.toMatchObject({ code: 'model_reply_invalid' });
  expect(hopeless.asked).toHaveLength(2);
  const other = scripted('{"mood": "fine"}', '{"score": 1, "polarity": "positive"}');
  await expect(new LLMUtilityAI({ model: other.model }).analyzeSentiment('fine')).rejects.toMatchObject({ code: 'model_reply_invalid' });
  expect(other.asked).toHaveLength(1);
});

test('the seed’s two sentences score -0.90 and 0.90 by its lexicon, and its table of sums holds', async () => {
  const score = async (text: string) =>
    (await utility.analyzeSentiment(text, { method: 'lexicon_based', language: 'en' })).score ?? Number.NaN;
  expect(await score('This is terrible, I hate it and the app is useless.')).toBeCloseTo(-0.9001, 4);
  expect(await score('Thank you, that worked great and I love it.')).toBeCloseTo(0.9001, 4);
  expect(await score('bad')).toBeCloseTo(-0.612, 3);
  expect(await score('The table is in the room next to the door')).toBe(0);
  expect(await score('')).toBe(0);
});

test('readability, similarity and n-grams give the known values', async () => {
  const text = 'The cat sat on the mat. The dog ran fast.';
  expect((await utility.calculateReadability(text)).score).toBeCloseTo(117.16, 2);
  expect((await utility.calculateReadability(text, { formula: 'flesch_kincaid_grade_level' })).score).toBeCloseTo(-1.84, 2);
  expect((await utility.calculateReadability('')).score).toBe(0);
  expect(await utility.calculateSimilarity('kitten', 'sitting', { method: 'levenshtein' })).toBeCloseTo(0.5714, 4);
  expect(await utility.calculateSimilarity('', '', { method: 'jaccard' })).toBe(1);
  expect(await utility.calculateSimilarity('', '')).toBe(0);
  expect(await utility.calculateSimilarity('astronomy telescope galaxy', 'cooking recipe kitchen')).toBe(0);
  expect(await utility.generateNGrams(['a', 'b', 'c'], { n: [1, 2] })).toEqual({
    1: [['a'], ['b'], ['c']],
    2: [
      ['a', 'b'],
      ['b', 'c'],
    ],
  });
}, 30_000);

test('contractions are written out and numbers replaced', async () => {
  expect(await utility.normalizeText("Hello, World! It's 42 and I won't", { replaceNumbersWith: 'n' })).toBe(
    'hello world it is n and i will not',
  );
});

test('a summary is made of whole sentences in their order', async () => {
  const text = 'Sentence one. Sentence two. Sentence three. Sentence four. Sentence five.';
  expect(await utility.summarize(text, { method: 'first_n_sentences', desiredLength: 2 })).toBe('Sentence one. Sentence two.');
  const story =
    'The store keeps every message. A message is kept until the lane is closed. Birds sing. Closing the lane drops each message from the store. Rain fell.';
  const summary = await utility.summarize(story, { desiredLength: 2 });
  expect(summary).not.toContain('Birds');
  expect(summary.split('. ').length).toBe(2);
});

test('a trained classifier survives as JSON in another instance', async () => {
  expect(await utility.trainModel(rpg, 'text_classifier_naive_bayes', { modelId: 'rpg' })).toEqual({ success: true, modelId: 'rpg' });
  const other = new StatisticalUtilityAI();
  const stored = JSON.parse(JSON.stringify(await utility.saveTrainedModel('rpg')));
  expect(await other.loadTrainedModel('rpg', stored)).toMatchObject({ success: true });
  const options = { candidateClasses: ['attack', 'equip', 'buy'], modelId: 'rpg' };
  expect(await other.classifyText('attack the beast with a longsword', options)).toMatchObject({ bestClass: 'attack' });
  expect(await other.classifyText('put on the heavy plate armor', options)).toMatchObject({ bestClass: 'equip' });
  const { bestClass, allScores } = await other.classifyText('buy a new sword from the merchant shop', options);
  expect(bestClass).toBe('buy');
  expect(allScores.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(1, 6);
  expect(await other.loadTrainedModel('x', { type: 'nonsense' })).toMatchObject({ success: false });
  expect(await utility.trainModel(rpg, 'svm')).toMatchObject({ success: false });
});

test('keywords match whole words only', async () => {
  const run = await utility.classifyText('open the trunk', { candidateClasses: ['run', 'walk'] });
  expect(run).toMatchObject({ bestClass: 'run', confidence: 0.1 });
  const spell = await utility.classifyText('cast a powerful fire spell on the enemy', { candidateClasses: ['fire spell', 'ice spell'] });
  expect(spell.bestClass).toBe('fire spell');
});

test.each([
  ['en', 'All human beings are born free and equal in dignity and rights.'],
  ['fr', 'Tous les êtres humains naissent libres et égaux en dignité et en droits.'],
  ['de', 'Alle Menschen sind frei und gleich an Würde und Rechten geboren.'],
  ['es', 'Todos los seres humanos nacen libres e iguales en dignidad y derechos.'],
  ['pt', 'Todos os seres humanos nascem livres e iguais em dignidade e em direitos.'],
  ['it', 'Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti.'],
  ['nl', 'Alle mensen worden vrij en gelijk in waardigheid en rechten geboren.'],
  ['tr', 'Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar.'],
  ['pl', 'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw.'],
  ['sv', 'Alla människor är födda fria och lika i värde och rättigheter.'],
  ['ja', 'すべての人間は、生まれながらにして自由である。'],
  ['zh', '人人生而自由,在尊严和权利上一律平等。'],
  ['ru', 'Все люди рождаются свободными и равными.'],
])('%s is detected', async (language, text) => {
  expect((await utility.detectLanguage(text))[0]?.language).toBe(language);
});

test('JSON is read through fences; a repair is one call, and an empty repair is no success', async () => {
  expect(await utility.parseJsonSafe('```json\n{"a": 1,}\n```')).toEqual({ a: 1 });
  expect(await utility.parseJsonSafe('nothing here')).toBeNull();
  const { model, asked } = scripted('{"key": "value"}');
  expect(await new LLMUtilityAI({ model }).parseJsonSafe('key is value', { attemptFixWithLLM: true })).toEqual({ key: 'value' });
  expect(asked.length).toBe(1);
  const empty = scripted('{}');
  expect(await new LLMUtilityAI({ model: empty.model }).parseJsonSafe('lost', { attemptFixWithLLM: true })).toBeNull();
}, 30_000);

test('the LLM class reads scores with suspicion', async () => {
  const ask = (reply: string) => new LLMUtilityAI({ model: scripted(reply).model });
  expect(await ask('{"score": 0.85, "polarity": "positive", "intensity": 0.8}').analyzeSentiment('x')).toMatchObject({
    score: 0.85,
    polarity: 'positive',
    intensity: 0.8,
  });
  expect(await ask('```json\n{"score": 7, "polarity": "positive"}\n```').analyzeSentiment('x')).toMatchObject({ score: 1 });
  await expect(ask('I cannot tell.').analyzeSentiment('x')).rejects.toMatchObject({ code: 'model_reply_invalid' });
  expect(await ask('{"similarityScore": 1.5}').calculateSimilarity('a', 'b')).toBe(1);
  expect(
    await ask('{"bestClass": "a", "confidence": 0.92, "allScores": [{"classLabel": "b", "score": 0.05}]}').classifyText('x', {
      candidateClasses: ['a', 'b', 'c'],
    }),
  ).toEqual({
    bestClass: 'a',
    confidence: 0.92,
    allScores: [
      { classLabel: 'a', score: 0.92 },
      { classLabel: 'b', score: 0.05 },
      { classLabel: 'c', score: 0 },
    ],
  });
});

test('a long text is cut between characters and the model is told (K10)', async () => {
  const { model, asked } = scripted('short');
  await new LLMUtilityAI({ model }).summarize(`${'a'.repeat(7999)}😀${'b'.repeat(50)}`);
  expect(asked[0]).toContain('[cut: 52 more characters]');
  expect(/[\ud800-\udbff](?![\udc00-\udfff])/.test(asked[0] ?? '')).toBe(false);
});

test('the hybrid falls back on failure and says so', async () => {
  const events: string[] = [];
  const broken = new LLMUtilityAI({ model: scripted('no json').model });
  const hybrid = new HybridUtilityAI({ llm: broken, statistical: utility, onFallback: ({ method }) => events.push(method) });
  expect(await hybrid.extractKeywords('redis redis cache')).toEqual(['redis', 'cache']);
  expect((await hybrid.analyzeSentiment('I love it', { method: 'llm' })).polarity).toBe('positive');
  expect(events).toEqual(['extractKeywords', 'analyzeSentiment']);
  expect(() => new HybridUtilityAI({})).toThrow(/llm, statistical/);
  expect((await hybrid.checkHealth()).isHealthy).toBe(true);
});

test('what a class cannot do it refuses by code', async () => {
  await expect(utility.analyzeSentiment('x', { method: 'llm' })).rejects.toMatchObject({ code: 'not_supported', retryable: false });
  await expect(utility.summarize('x', { method: 'abstractive_llm' })).rejects.toMatchObject({ code: 'not_supported' });
});

test('importing and using the package leaves the environment alone', async () => {
  const before = JSON.stringify(process.env);
  await utility.stemTokens(['running']);
  await utility.analyzeSentiment('great', { method: 'trained_classifier' });
  expect(JSON.stringify(process.env)).toBe(before);
}, 30_000);

test.each([[Number.NaN], [0], [-3]])('a summary of %d sentences has one', async (desiredLength) => {
  expect(await new StatisticalUtilityAI().summarize('One. Two. Three.', { desiredLength, method: 'first_n_sentences' })).toBe('One.');
});
