import {
  agentStoreOf,
  asTalk,
  createId,
  createMemoryStore,
  type IAgentStore,
  type IConversationStore,
  type LaneScope,
  type Stored,
  systemClock,
} from '@x/core';
import type { Client, ClientEvent, ClientOptions, RunResult } from './client-types.js';
import { streamEvents } from './event-channel.js';
import { createOpenConversations, type OpenConversation } from './open-conversations.js';
import { openLane } from './open-lane.js';
import type { TurnEvent, TurnResult } from './session-types.js';

/** Conversations that a client keeps open; idle ones that were used longest ago make room. The figure is ours. */
const MAX_OPEN = 256;

/**
 * Makes a client: a model with a system prompt, tools and a memory of conversations by id.
 *
 * @example
 * const client = createClient({ model, systemPrompt: 'You are Ava.' });
 * const { text } = await client.ask('Hello', { id: 'ada' });
 */
export function createClient(options: ClientOptions): Client {
  const { clock = systemClock, random = Math.random, maxTurns = 10, budgets = {} } = options;
  const store = asAgentStore(options.store, { clock, random });

  const openSession = async (from: IAgentStore, scope: LaneScope, conversation: string): Promise<OpenConversation> => {
    const lane = await openLane({ store: from, scope, clock, random });
    const { systemPrompt, model, features, hooks, onMetric, onTrace, waitFor, generation, placement, toolTimeoutMs, resolveModel } =
      options;
    const stable = typeof systemPrompt === 'function' ? () => ({ system: systemPrompt() }) : { system: systemPrompt ?? '' };
    const session = lane.session({
      conversation,
      model,
      stable,
      features,
      hooks,
      onMetric,
      onTrace,
      waitFor,
      generation,
      placement,
      toolTimeoutMs,
      resolveModel,
      budgets: { ...budgets, maxSteps: maxTurns },
    });
    return { lane, session };
  };

  const conversations = createOpenConversations(
    (id) => openSession(store, { persona: 'client', user: 'local', session: id }, id),
    MAX_OPEN,
  );
  /** Runs work in the conversation of this id, or in one that nobody else knows. */
  const within = async <T>(id: string | undefined, work: (opened: OpenConversation) => Promise<T>): Promise<T> =>
    id ? conversations.use(id, work) : work(await unnamed());

  /** A conversation that nobody else knows, for a run without an id. */
  const unnamed = async (history: readonly Stored[] = []): Promise<OpenConversation> => {
    const own = createMemoryStore({ clock, random });
    const scope = { persona: 'client', user: 'local', session: 'run' };
    if (history.length > 0) {
      const lane = await own.open(scope);
      await lane.commit({
        revision: 0,
        turn: 'history',
        operations: [],
        events: [],
        batches: { add: [], done: [] },
        conversation: { id: 'run', append: history, blocks: [], stableHash: '' },
      });
    }
    return openSession(own, scope, 'run');
  };

  const finish = async ({ session }: OpenConversation, result: TurnResult): Promise<RunResult> => {
    const history = await session.history();
    const { model } = options;
    const messages = result.status === 'pending' ? [...history, ...result.messages] : history;
    return runResult(result, messages, (typeof model === 'function' ? model() : model).modelId);
  };

  const ask: Client['ask'] = async (prompt, { toolkit, id, onText, signal } = {}) => {
    const onEvent = onText && ((event: TurnEvent) => (event.type === 'text-delta' ? onText(event.text) : undefined));
    return within(id, async (opened) =>
      finish(opened, await opened.session.ask({ content: prompt, signal, tools: toolkit?.tools() }, onEvent)),
    );
  };

  return {
    ask,
    async run(prompt, { toolkit, history = [], signal } = {}) {
      const opened = await unnamed(
        history.flatMap((given, index): readonly Stored[] => {
          const message = asTalk(given);
          if (message === undefined || (index === 0 && given.role === 'developer')) return [];
          const spoken = message.role === 'assistant' || message.role === 'tool' ? message.role : 'user';
          const origin = message === given ? (message.origin ?? spoken) : 'synthetic';
          return [{ ...message, id: message.id ?? createId('msg', random), origin }];
        }),
      );
      return finish(opened, await opened.session.ask({ content: prompt, signal, tools: toolkit?.tools() }));
    },
    stream(prompt, { toolkit, id, signal } = {}) {
      return streamEvents<ClientEvent>(async (emit, inner) => {
        const input = { content: prompt, signal: inner, tools: toolkit?.tools() };
        const result = await within(id, async (opened) => finish(opened, await opened.session.ask(input, (event) => pass(event, emit))));
        emit({ type: 'usage', usage: result.usage });
        if (result.pending) emit({ type: 'pending', request: result.pending });
        emit({ type: 'done', result });
      }, signal);
    },
    conversation({ toolkit } = {}) {
      let messages: readonly Stored[] = [];
      let id: string | undefined;
      return {
        async send(prompt, more = {}) {
          id ??= createId('conversation', random);
          const mine = id;
          const result = await ask(prompt, { ...more, id: mine, toolkit });
          // Who starts over does not get back what was being said then.
          if (id === mine) messages = result.messages;
          return result;
        },
        get messages() {
          return messages;
        },
        reset() {
          messages = [];
          id = undefined;
        },
      };
    },
    async resume(answer, { id, toolkit, onText, signal }) {
      const onEvent = (event: TurnEvent): void => (event.type === 'text-delta' ? onText?.(event.text) : undefined);
      return within(id, async (opened) =>
        finish(opened, await opened.session.resume(answer, { signal, onEvent, tools: toolkit?.tools() })),
      );
    },
    session: (id) => conversations.use(id, ({ session }) => session),
    async close({ timeoutMs } = {}) {
      await conversations.closeAll(timeoutMs);
    },
  };
}

function asAgentStore(store: ClientOptions['store'], options: Parameters<typeof createMemoryStore>[0]): IAgentStore {
  if (!store) return createMemoryStore(options);
  return 'open' in store ? store : agentStoreOf(store satisfies IConversationStore, { ...options, conversationId: (_lane, id) => id });
}

function pass(event: TurnEvent, emit: (event: ClientEvent) => void): void {
  if (event.type === 'text-delta') emit({ type: 'text', delta: event.text });
  else if (event.type === 'tool-call-start') emit({ type: 'tool_call', id: event.id, name: event.name, args: event.args });
  else if (event.type === 'tool-call-end' && !event.pending) {
    const { id, name, output, isError } = event;
    emit({ type: 'tool_result', id, name, output, isError });
  }
}

function runResult(result: TurnResult, messages: readonly Stored[], model: string): RunResult {
  const { status, pending, toolCalls, steps, usage, limit } = result;
  const outOfTurns = limit === 'maxSteps';
  return {
    text: result.text || (outOfTurns ? 'hit maxTurns without a final answer' : ''),
    messages,
    toolCalls,
    toolCallCount: toolCalls.length,
    turns: steps,
    usage: { promptTokens: usage.inputTokens, completionTokens: usage.outputTokens, totalTokens: usage.inputTokens + usage.outputTokens },
    model,
    status,
    ...(pending && { pending }),
    ...(limit && { limit: outOfTurns ? 'maxTurns' : limit }),
  };
}
