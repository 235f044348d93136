import { expect, test } from 'vitest';
import { readMessage } from './read-message.js';

test.each([
  '{"id":"a","role":"user","content":"hi","origin":"user"}',
  '{"id":"a","role":"user","content":[{"type":"text","text":"hi"}]}',
  '{"id":"a","role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}',
  '{"id":"a","role":"assistant","content":"hi","tool_calls":null}',
  '{"id":"a","role":"tool","content":"ok","tool_call_id":"c"}',
])('a message: %s', (body) => {
  expect(readMessage(body)).toEqual(JSON.parse(body));
});

test.each([
  '{"id":',
  'null',
  '7',
  '"hi"',
  '[]',
  '{"role":"user","content":"no id"}',
  '{"id":"x","role":"user","text":"old"}',
  '{"id":"x","role":5,"content":""}',
  '{"id":"x","role":"user","content":{"a":1}}',
  '{"id":"x","role":"user","content":[null]}',
  '{"id":"x","role":"assistant","content":"","tool_calls":"nope"}',
  '{"id":"x","role":"assistant","content":"","tool_calls":[{"id":"c"}]}',
  '{"id":"x","role":"tool","content":"no call"}',
])('no message: %s', (body) => {
  expect(readMessage(body)).toBeUndefined();
});
