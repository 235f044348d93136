import { createScriptedModel, type ScriptItem } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { askModel } from './ask-model.js';
import { forgiveReply } from './forgive-reply.js';
import { updatesSchema } from './output-schema.js';

const schema = updatesSchema({ strategy: 'recoveryStrategy' });
const ask = (script: readonly ScriptItem[]) => {
  const model = createScriptedModel(script);
  const asked = askModel({ model, prompt: 'p', schema, maxOutputTokens: 64, temperature: 0.3, signal: new AbortController().signal });
  return { model, asked };
};
const FOCUSED = '{"updatedGmiMood":"focused"}';

describe('K28: the envelope around the JSON costs no second call', () => {
  test.each([
    ['FR-169 prose around', `Here you go: ${FOCUSED} Hope it helps`],
    ['FR-170 fence', `\`\`\`json\n${FOCUSED}\n\`\`\``],
    ['FR-171 fence, then a sentence', `\`\`\`\n${FOCUSED}\n\`\`\`\nThis changes the mood.`],
    ['FR-173 an address inside a string', '{"updatedGmiMood":"focused","adjustmentRationale":"see https://a.b/c"}'],
    ['FR-175 a footnote with a bracket', `${FOCUSED} see [1]`],
    ['FR-177 a longer outer fence', '````json\n{"updatedGmiMood":"focused","adjustmentRationale":"use ``` here"}\n````'],
    ['FR-178 thinking aloud', `<think>hm</think>${FOCUSED}`],
    ['FR-179 braces inside the thinking', `<think>maybe {"updatedGmiMood":"creative"}</think>${FOCUSED}`],
    ['FR-181 only the closing tag', `so I think {"x":1}</think>${FOCUSED}`],
    ['FR-182 a bad escape', '{"updatedGmiMood":"focused","adjustmentRationale":"C:\\users"}'],
    ['FR-183 an escaped apostrophe', '{"updatedGmiMood":"focused","adjustmentRationale":"the user\\\'s dog"}'],
  ])('%s', async (_name, reply) => {
    const { asked } = ask([reply]);
    expect(await asked).toMatchObject({ ok: true, calls: 1, value: { updatedGmiMood: 'focused' } });
  });
});

describe('K29: shape, case and wrappers follow the schema', () => {
  test.each([
    ['FR-187 another case', '{"updatedGmiMood":"FOCUSED"}'],
    ['keys in another style', '{"updated_gmi_mood":"focused"}'],
    ['a wrapper with one key', `{"result":${FOCUSED}}`],
    ['a list of one', `[${FOCUSED}]`],
    ['null for "no change"', '{"updatedGmiMood":"focused","updatedTaskComplexity":null}'],
  ])('%s', async (_name, reply) => {
    const { asked } = ask([reply]);
    expect(await asked).toMatchObject({ ok: true, calls: 1, value: { updatedGmiMood: 'focused' } });
  });

  test.each([
    ['N/A', 'None', 'unchanged'],
    ['no change', 'same', 'n/a'],
  ])('a reply that says %j, %j and %j wants no change, at the cost of one call', async (mood, skill, complexity) => {
    const reply = { updatedGmiMood: mood, updatedUserSkillLevel: skill, updatedTaskComplexity: complexity, newMemoryImprints: '' };
    const { asked } = ask([JSON.stringify({ ...reply, adjustmentRationale: 'all is well' })]);
    expect(await asked).toMatchObject({ ok: true, calls: 1, value: { adjustmentRationale: 'all is well' } });
    const { asked: partly } = ask([JSON.stringify({ ...reply, updatedGmiMood: 'Focused' })]);
    expect(await partly).toMatchObject({ ok: true, calls: 1, value: { updatedGmiMood: 'Focused' } });
  });

  test('FR-185 one imprint where a list is wanted becomes a list', async () => {
    const { asked } = ask(['{"newMemoryImprints":{"key":"topic","value":"loops"}}']);
    expect(await asked).toMatchObject({ ok: true, value: { newMemoryImprints: [{ key: 'topic', value: 'loops' }] } });
  });

  test.each([
    ['FR-186 a list of something else', '[{"text":"x"}]', 'reply_breaks_schema'],
    ['FR-186 fields that nobody asked for', '{"memory":["a","b"]}', 'reply_breaks_schema'],
    ['a mood that does not exist', '{"updatedGmiMood":"helpful"}', 'reply_breaks_schema'],
    ['FR-174 cut off inside a string', '{"updatedGmiMood":"focused","adjustmentRationale":"a, b, c', 'reply_cut_off'],
    ['no JSON at all', 'I would rather not.', 'reply_not_json'],
    ['nothing', '  ', 'reply_empty'],
  ])('%s is a failure after one repair call', async (_name, reply, reason) => {
    const { asked, model } = ask([reply, reply]);
    expect(await asked).toMatchObject({ ok: false, reason, calls: 2 });
    expect(model.requests).toHaveLength(2);
  });
});

test('a word that the definition left out on purpose is no word that nobody knows', async () => {
  const reply = '{"updatedGmiMood":"frustrated","updatedTaskComplexity":"simple"}';
  const schema = updatesSchema({ moods: ['neutral', 'focused'] });
  expect(forgiveReply(reply, schema)).toBeUndefined();
  expect(forgiveReply(reply.replace('frustrated', 'helpful'), schema)).toMatchObject({ updatedTaskComplexity: 'simple' });
  expect(forgiveReply('{"updatedTaskComplexity":"simple","newMemoryImprints":[{"value":1}]}', schema)).toBeUndefined();
  const wanting = { type: 'object', properties: { updatedTaskComplexity: { type: 'string' }, verdict: { type: 'string' } } };
  expect(forgiveReply('{"updatedTaskComplexity":"simple"}', { ...wanting, required: ['verdict'] })).toBeUndefined();
});

test('the repair call tells what was wrong, and its answer counts', async () => {
  const { asked, model } = ask(['{"updatedGmiMood":"helpful"}', FOCUSED]);
  expect(await asked).toMatchObject({ ok: true, calls: 2 });
  expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  expect(model.requests[1]?.messages[3]?.content).toContain('updatedGmiMood');
});

test('a reply that the provider cut off is not used even if it parses', async () => {
  const { asked } = ask([
    { text: FOCUSED, finish: 'length' },
    { text: FOCUSED, finish: 'length' },
  ]);
  expect(await asked).toMatchObject({ ok: false, reason: 'reply_cut_off', calls: 2 });
});

test('a refusal and a failing model are not asked again', async () => {
  expect(await ask([{ text: 'no', finish: 'refused' }]).asked).toMatchObject({ ok: false, reason: 'reply_refused', calls: 1 });
  expect(await ask([{ error: new Error('down') }]).asked).toMatchObject({ ok: false, reason: 'model_failed', problem: 'Error', calls: 1 });
});

test('what the provider counted is summed over both calls; what it did not count is estimated', async () => {
  const counted = await ask([
    { text: 'x', usage: { inputTokens: 10, outputTokens: 2 } },
    { text: FOCUSED, usage: { inputTokens: 20, outputTokens: 3 } },
  ]).asked;
  expect(counted).toMatchObject({ inputTokens: 30, outputTokens: 5 });
  const guessed = await ask([{ text: FOCUSED, usage: {} }]).asked;
  expect(guessed.inputTokens).toBeGreaterThan(100);
  const absurd = await ask([{ text: FOCUSED, usage: { inputTokens: 9.2e124, outputTokens: -1 } }]).asked;
  expect(absurd.inputTokens).toBe(guessed.inputTokens);
});

test('FR-249: a helper call is one system prompt at index 0 and one user message', async () => {
  const { asked, model } = ask([FOCUSED]);
  await asked;
  expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  expect(model.requests[0]?.messages[1]?.content).toBe('p');
});

test('a schema that cannot be read is told as such and costs one call', async () => {
  const model = createScriptedModel([FOCUSED]);
  const broken = { type: 'object', properties: { a: { type: 'no such type' } } };
  const asked = await askModel({
    model,
    prompt: 'p',
    schema: broken,
    maxOutputTokens: 64,
    temperature: 0.3,
    signal: new AbortController().signal,
  });
  expect(asked).toMatchObject({ ok: false, reason: 'schema_invalid', calls: 1 });
});
