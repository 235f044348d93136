import type { LaneStore, Snapshot, Stored } from '@x/core';
import type { TurnResult } from './session-types.js';

/** Finds the answers of turns that were committed before, also of those that a fold took out of the history. */
export interface Replays {
  find(snapshot: Snapshot, id: string): Promise<TurnResult | undefined>;
  /** A turn of this session was committed on a transcript of this revision. */
  note(id: string, madeOn: number): void;
}

export function createReplays(store: LaneStore, conversation: string): Replays {
  /** Ids of all messages ever said, up to this revision of the transcript. */
  let known: { readonly ids: Set<string>; revision: number } | undefined;
  return {
    async find(snapshot, id) {
      const here = waitingTurn(snapshot, id) ?? turnIn(snapshot.history, snapshot, id);
      if (here || !mayHaveFolded(snapshot)) return here;
      if (known?.revision === snapshot.transcriptRevision && !known.ids.has(id)) return undefined;
      const { history, transcriptRevision } = await store.load(conversation, { original: true });
      known = { ids: new Set(history.map((message) => message.id)), revision: transcriptRevision };
      return turnIn(history, snapshot, id);
    },
    note(id, madeOn) {
      if (known?.revision !== madeOn) return;
      known.ids.add(id);
      known.revision += 1;
    },
  };
}

/** Each commit of a transcript brings one input at most: with fewer inputs than commits, some may have left. */
function mayHaveFolded({ history, transcriptRevision }: Snapshot): boolean {
  return history.reduce((inputs, { role, origin }) => inputs + (role === 'user' && origin !== 'synthetic' ? 1 : 0), 0) < transcriptRevision;
}

function waitingTurn(snapshot: Snapshot, id: string): TurnResult | undefined {
  const { parked } = snapshot;
  if (parked?.turn !== id) return undefined;
  return {
    ...emptyResult(snapshot, id),
    status: 'pending',
    text: parked.request.prompt,
    pending: parked.request,
    messages: parked.current,
  };
}

function turnIn(history: readonly Stored[], snapshot: Snapshot, id: string): TurnResult | undefined {
  const at = history.findIndex((message) => message.id === id);
  if (at < 0) return undefined;
  const rest = history.slice(at + 1);
  const until = rest.findIndex(({ role, origin }) => role === 'user' && origin !== 'synthetic');
  const messages = [history[at]!, ...(until < 0 ? rest : rest.slice(0, until))];
  const said = messages.filter((message) => message.role === 'assistant' && typeof message.content === 'string' && message.content !== '');
  const last = messages.at(-1);
  // A turn that a limit or a cancelled question ended has no answer behind its last result.
  const isDone = last?.role === 'assistant' && !last.tool_calls?.length;
  return { ...emptyResult(snapshot, id), status: isDone ? 'done' : 'incomplete', text: String(said.at(-1)?.content ?? ''), messages };
}

function emptyResult({ state }: Snapshot, id: string): Omit<TurnResult, 'status' | 'text' | 'messages'> {
  return {
    id,
    usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, counted: true },
    steps: 0,
    toolCalls: [],
    operations: [],
    events: [],
    batches: [],
    state: { before: state, after: state },
    parts: { stable: {}, volatile: {} },
    signals: [],
    replayed: true,
  };
}
