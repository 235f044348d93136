import type { ChatMessage, TurnHook } from '@x/core';
import { expectTypeOf, test } from 'vitest';
import { type CompactionOutcome, compactor, type Fold, readFold } from './index.js';

test('a compactor is a beforeLLM hook and keeps the type of its messages', () => {
  const compact = compactor({ maxTokens: 1_000, summarize: (older) => `${older.length}` });
  const hook: TurnHook = { beforeLLM: compact };
  expectTypeOf(hook.beforeLLM).not.toBeUndefined();
  interface Own {
    role: 'user';
    content: string;
    mine: number;
  }
  expectTypeOf(compact<Own>).returns.resolves.toEqualTypeOf<{ readonly messages: readonly Own[] } | undefined>();
  expectTypeOf(compact.run<ChatMessage>).returns.resolves.toEqualTypeOf<CompactionOutcome<ChatMessage>>();
  expectTypeOf(readFold).returns.toEqualTypeOf<Fold | undefined>();
});

test('a summariser may name the messages by its own type', () => {
  compactor({ maxTokens: 1, summarize: (older: { role: string }[]) => older.map(({ role }) => role).join() });
  compactor({ maxTokens: 1, summarize: async () => ({ text: 'x', finish: 'stop', facts: ['y'] }) });
  // @ts-expect-error a summary is text
  compactor({ maxTokens: 1, summarize: () => 5 });
});
