import type { IUtilityAI } from '@x/core';
import { expect, test } from 'vitest';
import { HybridUtilityAI } from './hybrid-utility.js';
import { StatisticalUtilityAI } from './statistical-utility.js';

test.each([[new Error('user left')], ['user left'], [undefined]])(
  'an aborted call ends with its reason (%s), not with a score',
  async (reason) => {
    const stop = new AbortController();
    const fallbacks: string[] = [];
    const llm = {
      analyzeSentiment: async () => {
        stop.abort(reason);
        throw new Error('socket closed');
      },
    } as unknown as IUtilityAI;
    const hybrid = new HybridUtilityAI({
      llm,
      statistical: new StatisticalUtilityAI(),
      onFallback: ({ method }) => fallbacks.push(method),
    });
    const asked = hybrid.analyzeSentiment('I love it', { method: 'llm', signal: stop.signal });
    await expect(asked).rejects.toBe(stop.signal.reason);
    expect(fallbacks).toEqual([]);
  },
);

test.each(['summarize', 'classifyText', 'extractKeywords', 'calculateSimilarity'] as const)(
  'an aborted %s does not fall back',
  async (method) => {
    const stop = new AbortController();
    const fail = async () => {
      stop.abort('user left');
      throw new Error('socket closed');
    };
    const llm = { summarize: fail, classifyText: fail, extractKeywords: fail, calculateSimilarity: fail } as unknown as IUtilityAI;
    const hybrid = new HybridUtilityAI({ llm, statistical: new StatisticalUtilityAI() });
    const options = { signal: stop.signal, candidateClasses: ['a', 'b'] };
    const asked =
      method === 'calculateSimilarity'
        ? hybrid.calculateSimilarity('a', 'b', { ...options, method: 'llm_semantic' })
        : (hybrid[method] as (text: string, options: object) => Promise<unknown>)('some text', options);
    await expect(asked).rejects.toBe('user left');
  },
);

test('a statistical part that fails to read JSON leaves it to the model, and the failure is told', async () => {
  const fallbacks: string[] = [];
  const statistical = {
    parseJsonSafe: async () => {
      throw new Error('down');
    },
  } as unknown as IUtilityAI;
  const llm = { parseJsonSafe: async () => ({ a: 1 }) } as unknown as IUtilityAI;
  const hybrid = new HybridUtilityAI({ llm, statistical, onFallback: ({ method }) => fallbacks.push(method) });
  expect(await hybrid.parseJsonSafe('{"a": 1')).toEqual({ a: 1 });
  expect(fallbacks).toEqual(['parseJsonSafe']);
  await expect(new HybridUtilityAI({ statistical }).parseJsonSafe('{}')).rejects.toThrow('down');
});
