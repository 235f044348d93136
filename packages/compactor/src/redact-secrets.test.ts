import { expect, test } from 'vitest';
import { compactor, readFold, redactSecrets } from './index.js';

test.each([
  ['my db password is hunter2, key sk-abc123def', 'my db password is [redacted], key [redacted]'],
  ['api_key=9f8e7d6c5b', 'api_key=[redacted]'],
  ['Authorization: Bearer abcdef123456', 'Authorization: Bearer [redacted]'],
  ['postgres://shop:s3cr3t@db.example.com/shop', 'postgres://shop:[redacted]@db.example.com/shop'],
  ['token ghp_abcdefghijklmnopqrstuvwxyz012345', 'token [redacted]'],
  ['eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.c2lnbmF0dXJl', '[redacted]'],
  ['I reset my password yesterday, the door code is 4417', 'I reset my password yesterday, the door code is 4417'],
])('%s', (text, expected) => {
  expect(redactSecrets(text)).toBe(expected);
});

test('credentials reach neither summary nor ledger', async () => {
  const messages = [{ role: 'user' as const, content: 'My db password is hunter2 and the port is 54321.' }];
  for (let turn = 0; turn < 12; turn += 1) messages.push({ role: 'user' as const, content: 'walk on and on '.repeat(30) });
  const out = await compactor({ maxTokens: 500, summarize: () => 'They gave the password: hunter2.' })({ messages });
  const fold = readFold(out!.messages)!;
  expect(JSON.stringify(fold)).not.toContain('hunter2');
  expect(JSON.stringify(fold)).toContain('54321');
});
