import { generate, isAgentosError } from '@x/core';
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
