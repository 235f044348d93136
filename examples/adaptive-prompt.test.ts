import { expect, test } from 'vitest';
import { runExample } from './run-example.js';

const run = async (name: string) => {
  const result = await runExample(`adaptive-prompt/${name}.ts`);
  expect([result.code, result.stderr]).toEqual([0, '']);
  return result;
};

test('shortest: the tutor answers over HTTP, with its own system prompt first', async () => {
  const { stdout, requests } = await run('shortest');
  expect(stdout.length).toBeGreaterThan(40);
  expect(JSON.stringify(requests[0]?.body)).toContain('You are a patient programming tutor.');
});

test('presets and override: an entry of the persona takes the place of the preset with its id', async () => {
  const { stdout } = await run('presets-and-override');
  expect(stdout.trim().split('\n')).toEqual([
    "gmi_frustration_recovery 0.3 preset's template",
    "gmi_confusion_clarification 0.3 preset's template",
    "gmi_error_recovery 0.3 preset's template",
    'gmi_frustration_recovery 0.3 own template',
  ]);
});

test('contextual elements: the ones whose criteria hold are chosen', async () => {
  const { stdout } = await run('contextual-elements');
  expect(stdout.trim().split('\n')).toEqual([
    'beginner neutral → beginner-tone',
    'expert empathetic → expert-tone, frustrated-error-handling',
  ]);
});

test('worked example: frustration turns the mood, and the element of that mood enters the prompt', async () => {
  const { stdout, requests } = await run('worked-example');
  const moods = [...stdout.matchAll(/\[(\w+), \w+, \w+\]/g)].map(([, mood]) => mood);
  expect(moods).toHaveLength(6);
  expect(moods[0]).toBe('neutral');
  expect(moods).toContain('empathetic');
  const chats = requests
    .map(({ body }) => JSON.stringify(body))
    .filter((body) => body.includes('What is a function?') && !body.includes('updatedGmiMood'));
  expect(chats[0]).not.toContain('Acknowledge the difficulty');
  expect(chats.at(-1)).toContain('Acknowledge the difficulty');
});

test('an agent with cognition notices frustration', async () => {
  const { stdout } = await run('gmi-agent');
  expect(stdout).toContain('events: user_frustrated');
  expect(stdout).toContain('mood: empathetic');
});
