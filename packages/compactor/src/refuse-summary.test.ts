import { expect, test } from 'vitest';
import { filler, setUp, user } from '../test/kinds-fixture.js';
import { readFold } from './index.js';

const fold = async (text: string) => {
  const { run, events } = setUp({ summarize: () => text });
  const out = await run([...filler(14), user('x')]);
  return out ? readFold(out)!.summary : events.at(-1);
};

test.each([
  'Error handling was discussed: the user wants three retries and a log line for each. The rest stays as it is.',
  'Type error in the parser was fixed on Monday. The tests pass again.',
  'Failed to deploy twice; the third try went through after the quota was raised. Next: watch the graphs.',
  'Rate limit was raised to 500.',
  'Rate limit of the shop was raised from 100 to 500 and the user agreed.',
  'Error 404 on the pricing page was reported by Mila.\nThe link was mended.',
  'Sorry, said Mila, and moved the meeting to Friday. The room is booked.',
])('a summary that opens like an error is taken: %s', async (text) => {
  expect(await fold(text)).toBe(text);
});

test.each([
  'Error: 500 internal server error',
  'Error: connect ECONNREFUSED 127.0.0.1:443\n    at TCPConnectWrap.afterConnect (node:net:1555:16)',
  'TypeError: fetch failed',
  '500 Internal Server Error',
  '429',
  'HTTP 503: Service Unavailable',
  '{"error":{"message":"overloaded","type":"server_error"}}',
  '```json\n{"error": "no such model"}\n```',
  '[{"error":{"code":400}}]',
  'Rate limit exceeded.',
  'Too many requests, please try again later.',
  'Internal server error',
  'Service unavailable',
  'Failed to fetch',
  'Request failed with status code 502',
  "I'm sorry, but I can't help with that.",
  'I cannot assist with this request.',
  'I am unable to summarise this conversation.',
  'null',
  'undefined',
  '[object Object]',
])('the text of an error is no summary: %s', async (text) => {
  expect(await fold(text)).toMatchObject({ type: 'fold_failed', code: 'summary_is_error' });
});
