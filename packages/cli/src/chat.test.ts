import { Readable, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { type ITool, pending } from '@x/agentos';
import { createScriptedModel } from '@x/testkit';
import { expect, test } from 'vitest';
import { chat } from './chat.js';
import { support } from './personas.js';

const CALL = { toolCalls: [{ name: 'pay', arguments: {} }] };

/** Talks in so many lines with a persona whose tool asks before it pays. */
async function talk(lines: readonly string[], replies: Parameters<typeof createScriptedModel>[0], json = true) {
  const paid: unknown[] = [];
  const pay: ITool = {
    name: 'pay',
    description: 'Pays.',
    inputSchema: { type: 'object' },
    execute(_args, { answer }) {
      if (!answer) return pending({ id: 'q1', kind: 'approval', prompt: 'Pay 12 euros?' });
      paid.push(answer.value);
      return 'It is paid.';
    },
  };
  let output = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      output += String(chunk);
      done();
    },
  });
  const endpoint = { model: createScriptedModel(replies), offline: true, description: '', close: async () => undefined };
  const input = Readable.from(lines.map((line) => `${line}\n`));
  const { failed } = await chat({ endpoint, persona: support, tools: [pay], json, input, output: sink });
  // What is tested is what it says; whether in colours follows from the environment.
  return { output: stripVTControlCharacters(output), failed, paid };
}
const values = (output: string) =>
  output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('the line after a question is its answer, and the talk goes on', async () => {
  const { output, failed, paid } = await talk(['Pay the bill.', 'yes', 'Thanks.'], [CALL, 'It is done.', 'Good.']);
  expect([failed, paid]).toEqual([0, [true]]);
  expect(values(output)).toMatchObject([
    { turn: 1, status: 'pending', pending: { id: 'q1', prompt: 'Pay 12 euros?' } },
    { turn: 1, status: 'done', reply: 'It is done.' },
    { turn: 2, status: 'done', reply: 'Good.' },
  ]);
});

test('who declines is obeyed', async () => {
  const { output, paid } = await talk(['Pay the bill.', 'no'], [CALL, 'Then not.']);
  expect(paid).toEqual([]);
  expect(values(output)).toMatchObject([{ status: 'pending' }, { status: 'done', reply: 'Then not.' }]);
});

test('a line that is no answer is refused with what to type, and the question stays open', async () => {
  const { output, failed, paid } = await talk(['Pay the bill.', 'perhaps', 'y'], [CALL, 'It is done.']);
  expect([failed, paid]).toEqual([1, [true]]);
  expect(values(output)).toMatchObject([{ status: 'pending' }, { code: 'answer_invalid' }, { status: 'done' }]);
});

test('after an answer whose turn failed the question is asked again', async () => {
  const { output, failed, paid } = await talk(
    ['Pay the bill.', 'yes', 'yes'],
    [CALL, { error: new Error('the line is down') }, 'It is done.'],
  );
  expect([failed, paid]).toEqual([1, [true]]);
  expect(values(output)).toMatchObject([{ status: 'pending' }, { code: 'model_failed' }, { status: 'done', reply: 'It is done.' }]);
});

test('in a terminal the question stands in the report, with what to type below it', async () => {
  const { output } = await talk(['Pay the bill.', 'yes'], [CALL, 'It is done.'], false);
  expect(output).toMatch(/asks +pay: Pay 12 euros\?/);
  expect(output).toContain('Type yes or no.');
  expect(output).toMatch(/human +yes/);
  expect(output).toMatch(/tool +pay: It is paid\./);
  expect(output).not.toMatch(/reply +Pay 12 euros\?/);
});
