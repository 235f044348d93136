import { generate, type IChatModel, isAgentosError } from '@x/core';
import { createScriptedModel } from '@x/testkit';
import { expect, test } from 'vitest';
import { PersonaUnknownError } from './errors.js';
import { withFallback } from './with-fallback.js';

class Busy extends PersonaUnknownError {
  override readonly retryable = true as never;
}
const request = { messages: [{ role: 'user', content: 'Hi' }], tools: [] } as const;

test('the next model answers when one is busy, and the hop is told', async () => {
  const hops: unknown[] = [];
  const busy = createScriptedModel([{ error: new Busy('x', []) }]);
  const model = withFallback([busy, createScriptedModel(['Hello.'])], (hop) => hops.push(hop));
  expect((await generate(model, request)).text).toBe('Hello.');
  expect(hops).toMatchObject([{ code: 'persona_unknown' }]);
});

test('an error that no other try can mend is thrown', async () => {
  const model = withFallback([createScriptedModel([{ error: new PersonaUnknownError('x', []) }]), createScriptedModel(['Hello.'])]);
  const error = await generate(model, request).catch((thrown: unknown) => thrown);
  expect(isAgentosError(error) && error.retryable).toBe(false);
});

test('without a model there is nothing to fall back on', () => {
  expect(() => withFallback([])).toThrow(expect.objectContaining({ code: 'configuration_invalid' }));
});

const words = (model: IChatModel): IChatModel => ({
  ...model,
  async *stream() {
    yield { type: 'text-delta', text: '' };
    throw new Busy('x', []);
  },
});

test('a model that gave an empty piece, or no end at all, has said nothing yet', async () => {
  const silent = createScriptedModel([]);
  const cut: IChatModel = { ...silent, async *stream() {} };
  expect((await generate(withFallback([words(silent), createScriptedModel(['Hello.'])]), request)).text).toBe('Hello.');
  const hops: unknown[] = [];
  expect(
    (
      await generate(
        withFallback([cut, createScriptedModel(['Hello.'])], (hop) => hops.push(hop)),
        request,
      )
    ).text,
  ).toBe('Hello.');
  expect(hops).toMatchObject([{ code: 'model_stream_cut' }]);
});

test('requests are laid out so that every model of the chain accepts them', () => {
  const roomy = createScriptedModel([], {
    capabilities: { lateNote: 'developer', mergeUserRuns: false, structuredOutput: true, contextWindow: 400_000 },
  });
  const careful = createScriptedModel([], {
    capabilities: { lateNote: 'fenced-user', mergeUserRuns: true, structuredOutput: false, contextWindow: 32_000 },
  });
  expect(withFallback([roomy, careful]).capabilities).toEqual({
    lateNote: 'fenced-user',
    mergeUserRuns: true,
    structuredOutput: false,
    transcript: 'chat',
    contextWindow: 32_000,
  });
  expect(withFallback([roomy, roomy]).capabilities).toMatchObject(roomy.capabilities);
});

test('who is told of a hop cannot stop the answer', async () => {
  const busy = createScriptedModel([{ error: new Busy('x', []) }]);
  const model = withFallback([busy, createScriptedModel(['Hello.'])], () => {
    throw new Error('the log is full');
  });
  expect((await generate(model, request)).text).toBe('Hello.');
});
