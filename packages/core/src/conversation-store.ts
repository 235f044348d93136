import { createId } from './clock.js';
import { createMemoryStore, type MemoryStoreOptions } from './create-memory-store.js';
import { toJson } from './json.js';
import type { ChatMessage, Stored } from './messages.js';
import { type IAgentStore, type IConversationStore, laneKey } from './store.js';

/** Transcripts that live as long as the process. Lists are copied in and out. */
export class InMemoryConversationStore implements IConversationStore {
  readonly #conversations = new Map<string, readonly ChatMessage[]>();

  async get(id: string): Promise<readonly ChatMessage[] | undefined> {
    return this.#conversations.get(id)?.map((message) => ({ ...message }));
  }

  async save(id: string, messages: readonly ChatMessage[]): Promise<void> {
    this.#conversations.set(
      id,
      messages.map((message) => ({ ...message })),
    );
  }
}

/**
 * Makes an `IAgentStore` of a host's own store of transcripts: `get` when a conversation is first loaded, `save` with
 * the whole list after each commit. State, notes and background work stay in memory, since the host's store has no
 * place for them.
 *
 * @param conversationId - The id under which the host knows a conversation; default: lane and conversation joined,
 * so that two users or personas never share one.
 */
export function agentStoreOf(
  conversations: IConversationStore,
  {
    conversationId = (lane, conversation) => `${lane}#${conversation}`,
    ...options
  }: MemoryStoreOptions & { readonly conversationId?: ((lane: string, conversation: string) => string) | undefined } = {},
): IAgentStore {
  const inner = createMemoryStore(options);
  const adopted = new Map<string, Promise<void>>();
  return {
    async open(scope, openOptions) {
      const lane = await inner.open(scope, openOptions);
      const key = laneKey(scope);
      /** Reads what the host has of a conversation, once; whoever comes meanwhile waits for it. */
      const adopt = (conversation: string): Promise<void> => {
        const id = conversationId(key, conversation);
        const known = adopted.get(id) ?? adoptOnce(conversation, id);
        adopted.set(id, known);
        known.catch(() => adopted.delete(id));
        return known;
      };
      const adoptOnce = async (conversation: string, id: string): Promise<void> => {
        const stored = await conversations.get(id);
        if (!stored?.length) return;
        const { revision, events } = await lane.load(conversation);
        const append = stored.filter((message) => message.role !== 'system').map((message) => asStored(message, options.random));
        await lane.commit({
          revision,
          turn: createId('adopt', options.random),
          operations: [],
          events,
          batches: { add: [], done: [] },
          conversation: { id: conversation, append, blocks: [], stableHash: '' },
        });
      };
      return {
        ...lane,
        async load(conversation, loadOptions) {
          await adopt(conversation);
          return lane.load(conversation, loadOptions);
        },
        async commit(change) {
          if (change.conversation) await adopt(change.conversation.id);
          const result = await lane.commit(change);
          if (change.conversation) {
            const { history } = await lane.load(change.conversation.id);
            await conversations.save(
              conversationId(key, change.conversation.id),
              history.map((message) => toJson(JSON.parse(JSON.stringify(message))) as unknown as ChatMessage),
            );
          }
          return result;
        },
      };
    },
  };
}

function asStored(message: ChatMessage, random = Math.random): Stored {
  const origin = message.origin ?? (message.role === 'assistant' || message.role === 'tool' ? message.role : 'user');
  return { ...message, id: message.id ?? createId('msg', random), origin };
}
