import { expect, test } from 'vitest';
import { redactSecrets } from './redact-secrets.js';

test.each([
  ['my db password is hunter2, key sk-abc123', 'my db password is [redacted], key [redacted]', 2],
  ['use sk-proj-A1b2C3d4E5f6 now', 'use [redacted] now', 1],
  ['ghp_0123456789abcdefghijABCDEFGHIJ012345', '[redacted]', 1],
  ['AKIAIOSFODNN7EXAMPLE', '[redacted]', 1],
  ['postgres://ava:s3cr3t@db:5432/x', 'postgres://ava:[redacted]@db:5432/x', 1],
  ['Authorization: Bearer abcdef0123456789', 'Authorization: Bearer [redacted]', 1],
  ['API_KEY="abc-123-def"', 'API_KEY="[redacted]"', 1],
  ['DB_PASSWORD=hunter2', 'DB_PASSWORD=[redacted]', 1],
  ['PIN: 4921', 'PIN: [redacted]', 1],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- rest', '[redacted] rest', 1],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc', '[redacted]', 1],
] as const)('%j is cleaned', (text, clean, count) => {
  expect(redactSecrets(text)).toEqual({ text: clean, count });
  expect(redactSecrets(clean)).toEqual({ text: clean, count: 0 });
});

test.each([
  'The password is in the drawer',
  'Her password was changed',
  'The spare key is with the neighbour',
  'Meet at 15:00 near the task-force office',
  'https://example.org/path?x=1',
  'sk-8 is a highway',
])('%j is left alone', (text) => {
  expect(redactSecrets(text)).toEqual({ text, count: 0 });
});

test('long texts cost little', () => {
  const started = performance.now();
  for (const text of [
    'a-'.repeat(60_000),
    'a.'.repeat(60_000),
    'x://'.repeat(30_000),
    'password is '.repeat(10_000),
    `-----BEGIN PRIVATE KEY-----${'A'.repeat(100_000)}`,
  ])
    redactSecrets(text);
  expect(performance.now() - started).toBeLessThan(2_000);
});
