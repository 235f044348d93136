import type { ITool, Json } from '@x/core';
import { expectTypeOf, test } from 'vitest';
import type {
  AgentResult,
  AgentRuntime,
  agent,
  Client,
  createClient,
  createToolkit,
  Lane,
  openLane,
  RunResult,
  runTurn,
  Session,
  TurnEvent,
  TurnResult,
  VerbResult,
} from './index.js';

test('events are one union by type, and the last one carries the result', () => {
  expectTypeOf<Session['run']>().returns.toEqualTypeOf<AsyncGenerator<TurnEvent, void>>();
  expectTypeOf<Extract<TurnEvent, { type: 'turn-end' }>['result']>().toEqualTypeOf<TurnResult>();
  expectTypeOf<TurnResult['status']>().toEqualTypeOf<'done' | 'pending' | 'incomplete'>();
});

test('verbs are synchronous but for wait, close and resume', () => {
  expectTypeOf<AgentRuntime['post']>().returns.toEqualTypeOf<VerbResult>();
  expectTypeOf<AgentRuntime['wake']>().returns.toEqualTypeOf<VerbResult>();
  expectTypeOf<AgentRuntime['interrupt']>().returns.toEqualTypeOf<VerbResult>();
  expectTypeOf<AgentRuntime['wait']>().returns.toEqualTypeOf<Promise<AgentResult>>();
  expectTypeOf<AgentRuntime['close']>().returns.toEqualTypeOf<Promise<void>>();
  expectTypeOf<AgentResult['status']>().toEqualTypeOf<'done' | 'pending' | 'incomplete' | 'interrupted' | 'closed' | 'timeout' | 'error'>();
});

test('factories give what they say', () => {
  expectTypeOf<typeof openLane>().returns.toEqualTypeOf<Promise<Lane>>();
  expectTypeOf<typeof createClient>().returns.toEqualTypeOf<Client>();
  expectTypeOf<Client['ask']>().returns.toEqualTypeOf<Promise<RunResult>>();
  expectTypeOf<Awaited<ReturnType<typeof createToolkit>>['tools']>().returns.toEqualTypeOf<readonly ITool[]>();
  expectTypeOf<ReturnType<typeof agent>['asTool']>().returns.toEqualTypeOf<ITool<{ prompt: string }>>();
  expectTypeOf<ReturnType<typeof runTurn>>().toExtend<AsyncGenerator<{ readonly type: string }, void>>();
  expectTypeOf<NonNullable<Parameters<Session['resume']>[0]['value']>>().toExtend<Json>();
});
