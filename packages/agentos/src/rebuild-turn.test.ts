import { type IPersonaDefinition, type ITool, pending } from '@x/core';
import { createScriptedModel } from '@x/testkit';
import { expect, test } from 'vitest';
import { GMI } from './gmi.js';
import { rebuildTurn } from './rebuild-turn.js';

const persona: IPersonaDefinition = { id: 'clerk', name: 'Clerk', version: '1.0.0', baseSystemPrompt: 'You are a clerk.' };
const call = { toolCalls: [{ name: 'pay', arguments: {} }] };

/** A turn in which `pay` asks so many questions, all of them under one id, each answered with yes. */
async function answered(calls: number) {
  const model = createScriptedModel([...Array.from({ length: calls }, () => call), 'Paid.']);
  const pay: ITool = {
    name: 'pay',
    description: 'Pays.',
    inputSchema: { type: 'object' },
    execute: (_args, { answer }) => (answer ? 'It is paid.' : pending({ id: 'q', kind: 'approval', prompt: 'Pay?' })),
  };
  const gmi = new GMI({ persona, model, tools: [pay], journal: true });
  const { id } = await gmi.processTurn('Pay the bill.');
  const session = await gmi.session();
  for (let n = 0; n < calls; n += 1) await session.resume({ id: 'q', ok: true });
  return { id, lane: (await gmi.lane()).store, model };
}

test.each([1, 2, 3])('a turn that waited for %i answers is rebuilt to its end', async (calls) => {
  const { id, lane, model } = await answered(calls);
  const { steps, tools, parts } = await rebuildTurn(lane, id);
  expect(steps.map(({ step, body }) => [step, body])).toEqual(
    model.requests.map(({ messages, tools: specs }, step) => [step, JSON.stringify({ messages, tools: specs })]),
  );
  expect(steps.at(-1)?.reply).toMatchObject({ role: 'assistant', content: 'Paid.' });
  expect(tools.map(({ output }) => output)).toEqual(Array.from({ length: calls }, () => 'It is paid.'));
  expect(Object.keys(parts.stable)).toContain('system');
});
