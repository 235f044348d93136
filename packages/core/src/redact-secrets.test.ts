import fc from 'fast-check';
import { expect, test } from 'vitest';
import { namesSecret, redactSecrets } from './index.js';

test.each([
  ['my db password is hunter2, key sk-abc123', 'my db password is [redacted], key [redacted]', 2],
  ['my db password is hunter2, ok?', 'my db password is [redacted], ok?', 1],
  ['the password for the shop is now hunter2', 'the password for the shop is now [redacted]', 1],
  ['the password is “correct horse battery”', 'the password is “[redacted]”', 1],
  ['mein Passwort lautet hunter2', 'mein Passwort lautet [redacted]', 1],
  ['la contraseña es hunter2', 'la contraseña es [redacted]', 1],
  ['le mot de passe est hunter2', 'le mot de passe est [redacted]', 1],
  ['passcode: 99812', 'passcode: [redacted]', 1],
  ['hunter2 is my password', '[redacted] is my password', 1],
  ['my pin is 4921', 'my pin is [redacted]', 1],
  ['the token is the-pass1', 'the token is [redacted]', 1],
  ['the token is abc-123', 'the token is [redacted]', 1],
  ['use sk-proj-A1b2C3d4E5f6 now', 'use [redacted] now', 1],
  ['key sk-abc', 'key [redacted]', 1],
  ['rk_live_0123456789', '[redacted]', 1],
  ['token ghp_abcdefghijklmnopqrstuvwxyz012345', 'token [redacted]', 1],
  ['AKIAIOSFODNN7EXAMPLE rest', '[redacted] rest', 1],
  ['xoxe-1234567890abc', '[redacted]', 1],
  ['hf_abcdefghijklmnopqrstuvwxyz', '[redacted]', 1],
  ['12345678:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', '[redacted]', 1],
  ['postgres://ava:s3cr3t@db:5432/x', 'postgres://ava:[redacted]@db:5432/x', 1],
  ['redis://:s3cr3t@cache', 'redis://:[redacted]@cache', 1],
  ['Authorization: Bearer abcdef123456', 'Authorization: Bearer [redacted]', 1],
  ['Authorization: Bearer abc.def-123456', 'Authorization: Bearer [redacted]', 1],
  ['Authorization: Basic dXNlcg==', 'Authorization: Basic [redacted]', 1],
  ['token: Bearer abcdef123456', 'token: Bearer [redacted]', 1],
  ['api_key=9f8e7d6c5b', 'api_key=[redacted]', 1],
  ['API_KEY="abc-123-def"', 'API_KEY="[redacted]"', 1],
  ['{"clientSecret": "two words"}', '{"clientSecret": "[redacted]"}', 1],
  ["password => 'hunter2'", "password => '[redacted]'", 1],
  ['DB_PASSWORD=hunter2', 'DB_PASSWORD=[redacted]', 1],
  ['PIN: 4921', 'PIN: [redacted]', 1],
  ['token: password is hunter2', 'token: password is [redacted]', 1],
  ['password is token: hunter2', 'password is token: [redacted]', 1],
  ['private key: -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- rest', 'private key: [redacted] rest', 1],
  ['-----BEGIN PRIVATE KEY-----\ncut off', '[redacted]', 1],
  ['-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQdG\n-----END PGP PRIVATE KEY BLOCK----- rest', '[redacted] rest', 1],
  ['パスワードは hunter2 です', 'パスワードは [redacted] です', 1],
  ['密码：hunter2', '密码：[redacted]', 1],
  ['我的密码是hunter2。', '我的密码是[redacted]。', 1],
  ['비밀번호는 hunter2 입니다', '비밀번호는 [redacted] 입니다', 1],
  ['мой пароль: qwerty', 'мой пароль: [redacted]', 1],
  ['a senha é hunter2', 'a senha é [redacted]', 1],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc', '[redacted]', 1],
  ['groq gsk_a1B2c3D4e5a1B2c3D4e5a1B2', 'groq [redacted]', 1],
  ['xai-a1B2c3D4e5a1B2c3D4e5', '[redacted]', 1],
  ['pplx-a1B2c3D4e5a1B2c3D4e5', '[redacted]', 1],
  ['r8_a1B2c3D4e5a1B2c3D4e5a1B2', '[redacted]', 1],
  ['dop_v1_0123456789abcdef0123456789abcdef', '[redacted]', 1],
  ['whsec_a1B2c3D4e5a1B2c3D4e5', '[redacted]', 1],
  ['shpat_0123456789abcdef0123456789abcdef', '[redacted]', 1],
  ['dckr_pat_a1B2c3D4e5a1B2c3D4e5', '[redacted]', 1],
  ['ya29.a0AfH6SMBxa1B2c3D4e5a1B2c3D4e5', '[redacted]', 1],
  ['SG.abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyz0123456789', '[redacted]', 1],
  ['post to https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXX now', 'post to [redacted] now', 1],
  ['https://discord.com/api/webhooks/123456789012345678/a1B2c3D4e5a1B2c3D4e5', '[redacted]', 1],
  ['AccountName=a;AccountKey=A1b2A1b2A1b2A1b2==;', 'AccountName=a;AccountKey=[redacted];', 1],
])('%j is cleaned', (text, clean, count) => {
  expect(redactSecrets(text)).toEqual({ text: clean, count });
  expect(redactSecrets(clean)).toEqual({ text: clean, count: 0 });
});

test.each([
  'The password is in the drawer',
  'Her password was changed.',
  'I forgot my password again',
  'Das Passwort ist falsch',
  '密码是什么？',
  'a senha é forte demais',
  'Resenha: Clube da Luta',
  'Ela desenha: flores e casas',
  'senha: string;',
  '密码：required',
  'パスワードは変更しました',
  'The spare key is with the neighbour',
  'The secret is patience',
  'I reset my password yesterday, the door code is 4417',
  'Meet at 15:00 near the task-force office',
  'https://example.org/path?x=1',
  'sk-8 is a highway',
  'the token ring network',
  'ask-me-anything',
  'a risk-free task',
  'pin the version',
  'max_tokens: 500',
  'the bearer of news',
  'Use sk-learn for it',
  'The api key is missing',
  'Your api key is invalid.',
  'password: (none)',
  'token: null',
  'password: required',
  'export type Login = { password: string; token?: string }',
])('%j is left alone', (text) => {
  expect(redactSecrets(text)).toEqual({ text, count: 0 });
});

test('a value of 5,000 characters goes whole', () => {
  expect(redactSecrets(`token=${'a1'.repeat(2_500)} end`).text).toBe('token=[redacted] end');
});

const PIECES = [
  'password is',
  'password for',
  'hunter2',
  'sk-abcdef',
  'bearer',
  'token:',
  'x',
  'https://a:b@c',
  '"',
  "'",
  'Authorization:',
  'now',
  'secret',
];

test('redacting twice is redacting once', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES)), (words) => {
      const once = redactSecrets(words.join(' ')).text;
      expect(redactSecrets(once).text).toBe(once);
    }),
    { numRuns: 2_000 },
  );
});

// A pattern that backtracks would take minutes; the bound leaves room for a busy machine.
test('200,000 characters of any kind are read in seconds', { timeout: 60_000 }, () => {
  const units = [
    'a',
    'a-',
    'a.',
    'sk-',
    'password ',
    'password is ',
    'password for a ',
    'http://a:',
    'x://',
    'eyJ',
    'eyJ-aaaaaaaa.',
    'token: "',
    ' ',
  ];
  for (const unit of [...units, '-----BEGIN A PRIVATE KEY-----', '-----BEGIN ', 'token is a', 'authorization: ', '12345678:']) {
    const text = unit.repeat(Math.ceil(200_000 / unit.length));
    const started = performance.now();
    redactSecrets(text);
    redactSecrets(`-----BEGIN PRIVATE KEY-----${text}`);
    redactSecrets(`password${text}`);
    expect(performance.now() - started).toBeLessThan(5_000);
  }
});

test('names of fields that hold credentials are known in any style, other words are not', () => {
  expect(
    ['apiKey', 'API_KEY', 'db_password', 'accessToken', 'client.secret', 'Wifi Password'].filter((name) => !namesSecret(name)),
  ).toEqual([]);
  expect(['tokens', 'monkey', 'secretary', 'topic', 'passwordless', 'key'].filter(namesSecret)).toEqual([]);
});
