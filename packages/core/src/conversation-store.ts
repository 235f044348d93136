import { createId } from './clock.js';
import { createHeldStore, type MemoryStoreOptions } from './create-memory-store.js';
import { AgentosError, isAgentosError } from './errors.js';
import { toJson } from './json.js';
import { asTalk, type ChatMessage, isMessageRole, ROLES, type Stored } from './messages.js';
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

/** A host's store of transcripts threw, or gave something else. Nothing has changed on our side. */
export class ConversationStoreError extends AgentosError {
  override readonly name = 'ConversationStoreError';
  readonly code = 'conversation_store_failed';

  /** @param retryable - False where the host gave something else: it would give the same again. */
  constructor(
    message: string,
    readonly retryable: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Makes an `IAgentStore` of a host's own store of transcripts: `get` when a conversation is first loaded, `save` with
 * the whole list as part of each commit. State, notes and background work stay in memory, since the host's store has no
 * place for them. The host's own instructions (system messages, and developer messages at the head) are no part of the
 * talk; they go back to the host where they stood.
 *
 * @param conversationId - The id under which the host knows a conversation; default: lane and conversation joined,
 * so that two users or personas never share one.
 * @throws {@link ConversationStoreError} from `load` and `commit`, with the host's own error as its cause.
 */
export function agentStoreOf(
  conversations: IConversationStore,
  {
    conversationId = (lane, conversation) => `${lane}#${conversation}`,
    ...options
  }: MemoryStoreOptions & { readonly conversationId?: ((lane: string, conversation: string) => string) | undefined } = {},
): IAgentStore {
  const adopted = new Map<string, Promise<void>>();
  const apart = new Map<string, readonly SetApart[]>();
  const inner = createHeldStore({
    ...options,
    async save(lane, conversation, history) {
      const id = conversationId(lane, conversation);
      const list = putBack(history, apart.get(id) ?? []).map((message) => toJson(message) as unknown as ChatMessage);
      await asking('save', () => conversations.save(id, list));
    },
  });
  return {
    async open(scope, openOptions) {
      const { lane, begin } = await inner.open(scope, openOptions);
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
        const stored = checked(await asking('get', async () => conversations.get(id)));
        if (stored.length === 0) return;
        const { talk, instructions } = takeApart(stored.map((message) => asStored(message, options.random)));
        apart.set(id, instructions);
        begin(conversation, talk);
      };
      return {
        ...lane,
        async load(conversation, loadOptions) {
          await adopt(conversation);
          return lane.load(conversation, loadOptions);
        },
        async commit(change) {
          if (change.conversation) await adopt(change.conversation.id);
          return lane.commit(change);
        },
      };
    },
  };
}

/**
 * What cannot be read must not pass for an empty conversation: the next commit would overwrite it.
 *
 * @throws {@link ConversationStoreError} not retryable
 */
function checked(stored: unknown): readonly ChatMessage[] {
  if (stored === undefined || stored === null) return [];
  const isMessage = (item: unknown): boolean =>
    typeof item === 'object' && item !== null && isMessageRole((item as { readonly role?: unknown }).role);
  if (Array.isArray(stored) && stored.every(isMessage)) return stored as ChatMessage[];
  throw new ConversationStoreError(
    `The host's get must give a list of messages, each with one of the roles ${ROLES.join(', ')}, or undefined.`,
    false,
  );
}

async function asking<T>(method: keyof IConversationStore, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (isAgentosError(cause)) throw cause;
    throw new ConversationStoreError(`The host's ${method} failed. Nothing has changed; try again once it works.`, true, { cause });
  }
}

/** An instruction of the host, and the message of the talk that it stands after. */
interface SetApart {
  readonly after: string | undefined;
  readonly message: ChatMessage;
}

function takeApart(messages: readonly Stored[]): { readonly talk: readonly Stored[]; readonly instructions: readonly SetApart[] } {
  const talk: Stored[] = [];
  const instructions: SetApart[] = [];
  for (const message of messages) {
    const said = isHead(message, talk) ? undefined : asTalk(message);
    if (said) talk.push(said);
    else instructions.push({ after: talk.at(-1)?.id, message });
  }
  return { talk, instructions };
}

/** True for a developer message before which nobody said anything; a summary is nobody's. */
function isHead({ role }: Stored, talk: readonly Stored[]): boolean {
  return role === 'developer' && talk.every(({ origin }) => origin === 'synthetic');
}

/** What stood after a message that is gone, as after a fold, moves to the head. */
function putBack(history: readonly Stored[], instructions: readonly SetApart[]): readonly ChatMessage[] {
  const here = new Set(history.map(({ id }) => id));
  const after = (id: string | undefined) => instructions.flatMap((one) => (one.after === id ? [one.message] : []));
  const head = instructions.flatMap((one) => (one.after === undefined || !here.has(one.after) ? [one.message] : []));
  return instructions.length === 0 ? history : [...head, ...history.flatMap((message) => [message, ...after(message.id)])];
}

function asStored(message: ChatMessage, random = Math.random): Stored {
  const { role, id = createId('msg', random) } = message;
  const ours = role === 'system' || role === 'developer' ? 'synthetic' : role;
  return { ...message, id, origin: message.origin ?? ours };
}
