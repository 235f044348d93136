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
  'Failed to deploy twice; the user asked to roll back.',
  'Failed to connect twice; the user asked for another host.',
  'Summary of the week: rent paid, flight booked.',
  'Summary generation failed twice; the user wants the cause found and a retry added.',
  'The summary was unavailable on Monday. Mila restarted the job and it came back.',
  'Nothing is open. The user paid the rent.',
  'No summary was written for March; the user will send the numbers.',
  'The summary failed in CI because the key was missing.',
  'No response from the landlord at this point.',
  'No data in March, ten rows in April.',
  'Unable to summarise the PDF.',
  'The API is unavailable in Brazil.',
  'Timeout: the user set it to 30 seconds.',
  'The server was down for two hours and is up again.',
  'HTTP 503 came back three times. The user wants retries with longer waits.',
  'The user asked how to take `<think>` out of a reply, and `</think>` too. Both are done.',
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
  'Summary unavailable.',
  '[compaction failed]',
  'Unable to generate summary.',
  'Could not summarise the conversation.',
  'No summary available',
  'No summary could be generated.',
  'Summary generation failed after 3 attempts.',
  'Summary could not be generated.',
  'Summarization timed out.',
  'Conversation summary is not available at this time',
  'Context contained 14 messages. Summary unavailable due to size limits.',
  '[Summary generation failed: 429]',
  '**Summary:** Summary unavailable',
  'Summary: N/A',
  'Previous conversation summary unavailable.',
  'There is no conversation to summarize.',
  '<summary></summary>',
  '(no content)',
  '*No response.*',
  'N/A',
  'None',
  '{}',
  '...',
  '429 Too Many Requests',
  'HTTP 503: upstream connect error',
  'upstream connect error or disconnect/reset before headers. reset reason: connection failure',
  'overloaded_error: Overloaded',
  '<html><body><h1>502 Bad Gateway</h1></body></html>',
  `<!DOCTYPE html>\n<html>${'<p>Bad gateway, says the edge.</p>'.repeat(30)}</html>`,
  'Request timed out.',
  'Timeout: summarisation took too long',
  'The model is currently overloaded. Please try again later.',
  'API Error: 529 {"type":"error"}',
  'I apologize, but I cannot summarise this.',
])('the text of an error is no summary: %s', async (text) => {
  expect(await fold(text)).toMatchObject({ type: 'fold_failed', code: 'summary_is_error' });
});

test.each([
  ['<think>plan</think>They walked.', 'They walked.'],
  ['  <think>one</think>\n<thinking>two</thinking>\n\nThey walked.', 'They walked.'],
  ['What shall I write?\n</think>\nThey walked.', 'They walked.'],
  ['<|channel|>analysis<|message|>plan<|end|><|start|>assistant<|channel|>final<|message|>They walked.', 'They walked.'],
])("a model's thinking aloud is no part of its summary: %s", async (text, kept) => {
  expect(await fold(text)).toBe(kept);
});

test.each(['<think>cut off in the middle of reas', '<think>hm, I should summarise</think>', '<think>a <think>b</think> c'])(
  'thinking alone is an empty summary: %s',
  async (text) => {
    expect(await fold(text)).toMatchObject({ type: 'fold_failed', code: 'summary_empty' });
  },
);

test('an error behind thinking is an error', async () => {
  expect(await fold('<think>plan</think>\nSummary unavailable.')).toMatchObject({ type: 'fold_failed', code: 'summary_is_error' });
});
