import type { IPersonaDefinition, ITool, TurnHook } from '@x/core';
import { expectTypeOf, test } from 'vitest';
import {
  BOOTSTRAP_ORDER,
  type ComposedSoul,
  composeSoul,
  fromDir,
  type Heartbeat,
  loadPersona,
  memoryTool,
  type PersonaAgent,
  soulHook,
  startHeartbeat,
} from './index.js';

test('all but the heartbeat’s work is synchronous, as in the seed', () => {
  expectTypeOf(composeSoul('x')).toEqualTypeOf<ComposedSoul>();
  expectTypeOf(loadPersona('x')).toEqualTypeOf<IPersonaDefinition>();
  expectTypeOf(
    fromDir('x', { name: 'a', does: 'b', model: 'c', tools: [], memory: false, budget: { maxTurns: 1 }, hooks: {} }),
  ).toEqualTypeOf<PersonaAgent>();
  expectTypeOf(startHeartbeat({ everyMs: 1, runBeat: async () => ({ status: 'done', text: '' }) })).toEqualTypeOf<Heartbeat>();
});

test('the tool fits wherever a tool is wanted, and runs without a context', () => {
  expectTypeOf(memoryTool('x')).toExtend<ITool>();
  expectTypeOf(memoryTool('x').execute({ action: 'add', text: 'x' })).resolves.toEqualTypeOf<{
    readonly output: string;
    readonly isError: boolean;
  }>();
  expectTypeOf(soulHook('x')).toExtend<TurnHook>();
});

test('the order is a tuple of names', () => {
  expectTypeOf(BOOTSTRAP_ORDER[0]).toEqualTypeOf<'AGENTS.md'>();
});
