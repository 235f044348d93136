import { expect, test } from 'vitest';
import { loadLibrary } from './load-library.js';

test('a library that is not installed is named with the line that installs it', async () => {
  const missing = Object.assign(new Error("Cannot find package 'openai' imported from x"), { code: 'ERR_MODULE_NOT_FOUND' });
  await expect(loadLibrary('openai', () => Promise.reject(missing))).rejects.toMatchObject({
    code: 'dependency_missing',
    retryable: false,
    message: 'The package openai is not installed. Run: npm install openai',
    cause: missing,
  });
});

test('another failure while loading is one with a code and its cause', async () => {
  const broken = new SyntaxError('bad file');
  await expect(loadLibrary('openai', () => Promise.reject(broken))).rejects.toMatchObject({
    code: 'client_failed',
    retryable: false,
    message: 'openai: the client library could not be started. See the cause; reinstall it or change its options.',
    cause: broken,
  });
  const inner = Object.assign(new Error("Cannot find package 'left-pad'"), { code: 'ERR_MODULE_NOT_FOUND' });
  await expect(loadLibrary('openai', () => Promise.reject(inner))).rejects.toMatchObject({ code: 'client_failed', cause: inner });
});
