import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createSseParser, type SseMessage } from './parse-sse.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
function parse(...pieces: readonly Uint8Array[]): SseMessage[] {
  const parser = createSseParser();
  return [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()];
}

test('comments, ids, unknown fields and blank messages are passed over', () => {
  expect(parse(bytesOf(': hello\n\nid: 3\nretry: 10\ndata: a\nfoo\n\n\n\nevent: ping\n\ndata: b\n\n'))).toEqual([
    { event: '', data: 'a' },
    { event: '', data: 'b' },
  ]);
});

test('lines of data are joined, one blank after the colon is dropped, CR LF ends a line', () => {
  expect(parse(bytesOf('event: x\r\ndata: a\r\ndata:  b\r\ndata\r\n\r\n'))).toEqual([{ event: 'x', data: 'a\n b\n' }]);
});

test('where a server leaves out the blank line, a whole object ends the message; one over several lines stays one', () => {
  expect(parse(bytesOf('data: {"a":1}\ndata: {"a":2}\nevent: x\ndata: {"a":3}\ndata: [DONE]\n'))).toEqual([
    { event: '', data: '{"a":1}' },
    { event: '', data: '{"a":2}' },
    { event: 'x', data: '{"a":3}' },
    { event: '', data: '[DONE]' },
  ]);
  expect(parse(bytesOf('data: {\ndata: "a":1}\n\n'))).toEqual([{ event: '', data: '{\n"a":1}' }]);
});

test('lines of data that end no object are not parsed each time another comes', () => {
  const parsed = vi.spyOn(JSON, 'parse');
  const lines = ['{"list": [', ...Array.from({ length: 200 }, (_, index) => `${index},`), '0]', '}', '{"b":1}'];
  const messages = parse(bytesOf(lines.map((line) => `data: ${line}\n`).join('')));
  const times = parsed.mock.calls.length;
  parsed.mockRestore();
  expect(messages.map(({ data }) => data)).toEqual([lines.slice(0, -1).join('\n'), '{"b":1}']);
  expect(times).toBeLessThan(4);
});

test('a last message without its blank line is not lost', () => {
  expect(parse(bytesOf('data: a\n\ndata: b'))).toEqual([
    { event: '', data: 'a' },
    { event: '', data: 'b' },
  ]);
});

test('however the bytes are cut, the messages are the same', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 6 }).map((text) => `data: ${text.replace(/[\r\n]/g, '')}`),
    fc.constantFrom('', '', ': note', 'event: e', 'data:', 'x: y'),
  );
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 12 }),
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.nat(200), { maxLength: 6 }),
      (lines, eol, cuts) => {
        const bytes = bytesOf(lines.join(eol) + eol);
        const at = [...new Set(cuts.filter((cut) => cut < bytes.length))].sort((a, b) => a - b);
        const pieces = [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length));
        expect(parse(...pieces)).toEqual(parse(bytes));
      },
    ),
  );
});
