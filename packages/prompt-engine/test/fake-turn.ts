import { type AgentState, applyOperation, INITIAL_STATE, type Operation, type Stored, type TraceEntry, type Turn } from '@x/core';

/** A turn that a test can look into. */
export interface FakeTurn extends Turn {
  readonly operations: readonly Operation[];
  readonly traced: readonly Pick<TraceEntry, 'type' | 'message' | 'details'>[];
}

export interface FakeTurnOptions {
  readonly text?: string;
  readonly state?: Partial<AgentState>;
  readonly history?: readonly Stored[];
  readonly signals?: readonly string[];
  readonly origin?: Turn['origin'];
  readonly atMs?: number;
  readonly signal?: AbortSignal;
}

export const userMessage = (id: string, content: Stored['content']): Stored => ({ id, role: 'user', origin: 'user', content });
export const reply = (id: string, content: string): Stored => ({ id, role: 'assistant', origin: 'assistant', content });

export function createFakeTurn(options: FakeTurnOptions = {}): FakeTurn {
  const { text = 'Hello', history = [], signals = [], origin = 'user', atMs = 0, signal = new AbortController().signal } = options;
  let state: AgentState = { ...INITIAL_STATE, ...options.state };
  const operations: Operation[] = [];
  const traced: FakeTurn['traced'][number][] = [];
  const input: Stored = { ...userMessage('input', text), origin };
  return {
    id: 'turn-1',
    lane: 'ava/ada/s1',
    origin,
    input,
    layout: { stable: {}, tools: [], history, blocks: [], volatile: {}, current: [input] },
    get state() {
      return state;
    },
    events: [],
    signals,
    traceLog: [],
    signal,
    atMs,
    operations,
    traced,
    apply(operation) {
      state = applyOperation(state, operation).state;
      operations.push(operation);
    },
    trace: (entry) => void traced.push(entry),
    raise: () => {},
    consume: () => {},
  };
}
