import { Readable, Writable } from 'node:stream';
import { chat, type Endpoint, formatReport, openEndpoint, type TurnReport, tutor } from '@x/cli';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readArguments } from './arguments.js';
import { replay } from './replay.js';
import { formatSummary } from './summary.js';

let endpoint: Endpoint;
const reports: (TurnReport & { readonly conversation: string })[] = [];

beforeAll(async () => {
  endpoint = await openEndpoint({});
  await replay({ endpoint, onConversation: () => undefined, onTurn: (report) => void reports.push(report) });
}, 60_000);
afterAll(() => endpoint.close());

test('both conversations are replayed to their ends, every turn with a reply', () => {
  expect(reports.map(({ conversation }) => conversation).filter((name) => name === 'tutoring')).toHaveLength(10);
  expect(reports.filter(({ conversation }) => conversation === 'support').length).toBeGreaterThan(5);
  expect(reports.filter(({ reply }) => reply.trim() === '')).toEqual([]);
});

test('frustration fires its recovery, the mood changes, an element enters, and the reply is another', () => {
  const index = reports.findIndex(
    ({ fired, changes }) =>
      fired.includes('gmi_frustration_recovery') && changes.some(({ what, to }) => what === 'mood' && to === 'empathetic'),
  );
  const [turn, next] = [reports[index], reports[index + 1]];
  expect(turn?.events).toContain('user_frustrated');
  expect(next?.elements.entered).toContain('empathetic-tone');
  expect(next?.reply).not.toBe(turn?.reply);
});

test('Sam asks a human before a call of the manager is promised, and goes on with the answer', () => {
  const [asked, answered, ...others] = reports.filter(({ status, answer }) => status === 'pending' || answer !== undefined);
  expect(others).toEqual([]);
  expect(asked).toMatchObject({ conversation: 'support', askedBy: 'call_manager', pending: { kind: 'approval' } });
  expect(answered).toMatchObject({ turn: asked?.turn, answer: 'yes', status: 'done', tools: [{ name: 'call_manager', isError: false }] });
  expect(answered?.reply).toContain('calls back today');
  expect(formatSummary(reports, true)).toContain('20 turns');
});

test('from the second request on the prefix is whole', () => {
  for (const name of ['tutoring', 'support']) {
    const figures = reports.filter(({ conversation }) => conversation === name).flatMap(({ prefix }) => prefix);
    expect(figures[0]).toMatchObject({ break: 'first' });
    expect(figures.slice(1).map(({ stability, break: reason }) => [stability, reason])).toEqual(figures.slice(1).map(() => [1, undefined]));
  }
});

test('the first reply says that there is no language model', () => {
  expect(reports[0]?.reply).toMatch(/^\[offline model/);
});

test('the printed report and summary hold the figures of the turns', () => {
  const [first] = reports;
  expect(first && formatReport(first)).toContain(`${first?.inputTokens} in, ${first?.outputTokens} out`);
  expect(formatSummary(reports, true)).toContain('Lowest prefix stability without a named break: 1.00');
});

test('a chat answers line by line and ends with /quit', async () => {
  let output = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      output += String(chunk);
      done();
    },
  });
  await chat({ endpoint, persona: tutor, json: true, input: Readable.from(['What is a loop?\n', '/quit\n']), output: sink });
  const lines = output.trim().split('\n');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ turn: 1, user: 'What is a loop?' });
});

test('arguments are read, and an unknown one is refused by name', () => {
  expect(readArguments(['--json', '--persona', 'x'])).toEqual({
    chat: false,
    json: true,
    help: false,
    inspect: false,
    db: undefined,
    persona: 'x',
  });
  expect(() => readArguments(['--jsno'])).toThrow(/--jsno/);
});
