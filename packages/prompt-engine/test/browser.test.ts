import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';

// Runs the package where nothing of Node is: bundled for browsers, in a bare realm and in a worker without environment.
const PROGRAM = `
  import { PromptEngine, prefixStability, promptHook } from './src/index.ts';
  const persona = { id: 'a', name: 'A', version: '1.0.0', baseSystemPrompt: 'You are A.',
    contextualPromptElements: [{ id: 'rex', type: 'domain_context', content: 'Rex is a dog.', criteria: { text: { keys: ['/rex/i'] } } }] };
  globalThis.run = async () => {
    const engine = new PromptEngine();
    const result = await engine.constructPrompt({ userInput: 'What about Rex?' }, { modelId: 'm', maxContextTokens: 10000 }, { activePersona: persona, currentMood: 'curious' });
    const stable = prefixStability(result.prompt, result.prompt).stability;
    return JSON.stringify([result.metadata.selectedContextualElementIds, result.prompt.map((message) => message.role), stable, promptHook({ persona, time: true }).name]);
  };
`;
const EXPECTED = JSON.stringify([['rex'], ['system', 'user'], 1, 'prompt']);

let bundle = '';
beforeAll(async () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const { outputFiles } = await build({
    stdin: { contents: PROGRAM, resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    alias: { '@x/core': fileURLToPath(new URL('../../core/src/index.ts', import.meta.url)) },
  });
  bundle = outputFiles[0]!.text;
});

test('a browser bundle runs where there is nothing but the language', async () => {
  const realm = createContext({});
  runInContext(bundle, realm);
  expect(await runInContext('run()', realm)).toBe(EXPECTED);
});

test('the bundle names no module of Node and leaves process, require and console alone', () => {
  expect(bundle).not.toMatch(/\brequire\(|\bnode:|\bprocess\.|\bconsole\./);
});

test('a worker runs it', async () => {
  const code = `${bundle}; run().then((text) => require('node:worker_threads').parentPort.postMessage(text));`;
  const worker = new Worker(code, { eval: true, env: {} });
  const said = await new Promise((done, failed) => worker.once('message', done).once('error', failed));
  await worker.terminate();
  expect(said).toBe(EXPECTED);
});
