import fc from 'fast-check';
import { expect, test } from 'vitest';
import { namesSecret, redactSecrets } from './redact-secrets.js';

test.each([
  ['my db password is hunter2, ok?', 'my db password is [redacted], ok?'],
  ['key sk-abc123', 'key [redacted]'],
  ['API_KEY="abcdef123"', 'API_KEY="[redacted]"'],
  ['Authorization: Bearer abc.def-123456', 'Authorization: Bearer [redacted]'],
  ['postgres://me:hunter2@host/db', 'postgres://me:[redacted]@host/db'],
  ['AKIAIOSFODNN7EXAMPLE rest', '[redacted] rest'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefg', '[redacted]'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY----- after', '[redacted] after'],
])('%j becomes %j', (text, expected) => {
  expect(redactSecrets(text)).toBe(expected);
});

test.each(['I forgot my password again', 'the token ring network', 'ask-me-anything', 'a risk-free task', 'pin the version'])(
  '%j stays as it is',
  (text) => {
    expect(redactSecrets(text)).toBe(text);
  },
);

// A pattern that backtracks would take minutes; the bound leaves room for a busy machine.
test('100,000 characters of any kind are read in seconds', { timeout: 60_000 }, () => {
  for (const unit of ['a', 'sk-', 'password ', 'http://a:', 'eyJ', '-----BEGIN A PRIVATE KEY-----', 'token: ']) {
    const started = performance.now();
    redactSecrets(unit.repeat(Math.ceil(100_000 / unit.length)));
    expect(performance.now() - started).toBeLessThan(5_000);
  }
});

test('redacting twice is redacting once', () => {
  const word = fc.constantFrom('password is', 'hunter2', 'sk-abcdef', 'bearer', 'token:', 'x', 'https://a:b@c', '"');
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const once = redactSecrets(words.join(' '));
      expect(redactSecrets(once)).toBe(once);
    }),
  );
});

test('names of fields that hold credentials are known in any style, other words are not', () => {
  expect(
    ['apiKey', 'API_KEY', 'db_password', 'accessToken', 'client.secret', 'Wifi Password'].filter((name) => !namesSecret(name)),
  ).toEqual([]);
  expect(['tokens', 'monkey', 'secretary', 'topic', 'passwordless', 'key'].filter(namesSecret)).toEqual([]);
});
