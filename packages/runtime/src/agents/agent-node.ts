import type { PendingRequest } from '@x/core';
import type { Lane } from '../open-lane.js';
import type { Session } from '../session-types.js';
import type { AgentResult, AgentSpec, Handle, HandleState, InboxItem, WakeOptions } from './agent-types.js';
import { Inbox } from './inbox.js';
import type { Purse } from './purse.js';

/** One accepted wake: its prompt, what it took from the inbox, and the promise of its result. */
export interface Ticket {
  readonly prompt: string;
  readonly items: readonly InboxItem[];
  /** True once a turn ended with its items in it. */
  isRead: boolean;
  readonly options: WakeOptions;
  readonly abort: AbortController;
  readonly result: Promise<AgentResult>;
  readonly settle: (result: AgentResult) => void;
}

export function createTicket(prompt: string, items: readonly InboxItem[], options: WakeOptions): Ticket {
  let settle!: (result: AgentResult) => void;
  const result = new Promise<AgentResult>((resolve) => {
    settle = resolve;
  });
  return { prompt, items, isRead: false, options, abort: new AbortController(), result, settle };
}

/** A handle from the inside. */
export class AgentNode implements Handle {
  readonly id: string;
  readonly name: string;
  readonly spec: AgentSpec;
  readonly depth: number;
  readonly parent: AgentNode | undefined;
  readonly purse: Purse;
  readonly box: Inbox;
  /** The conversation of its own; children for a task get one that no other task has. */
  readonly conversation: string;
  state: HandleState = 'idle';
  children: AgentNode[] = [];
  spawned = 0;
  turnsTotal = 0;
  pendingRequest: PendingRequest | undefined;
  lastResult: AgentResult | undefined;
  /** The ticket that is running. */
  running: Ticket | undefined;
  /** Accepted, not begun. */
  readonly tickets: Ticket[] = [];
  /** What `wait` waits for. */
  lastTicket: Ticket | undefined;
  /** Waiters from before the first wake. */
  readonly firstWaiters: ((ticket: Ticket) => void)[] = [];
  runningChildren = 0;
  /** Children that wait for a place. */
  readonly lineup: AgentNode[] = [];
  /** Children that work on a task, by the call that gave it. */
  readonly tasks = new Map<string, AgentNode>();
  readonly sessions = new Map<string, Promise<Session>>();
  lane: Promise<Lane> | undefined;
  parkedIn: Session | undefined;
  /** True while an answer from outside goes down the tree. */
  resuming = false;
  /** Settles before the next turn: `onSpawn`, the cancelling of a question. */
  before: Promise<void> = Promise.resolve();
  closing: Promise<void> | undefined;

  constructor(at: {
    readonly id: string;
    readonly name: string;
    readonly spec: AgentSpec;
    readonly parent: AgentNode | undefined;
    readonly purse: Purse;
    readonly inboxCap: number;
    readonly conversation?: string | undefined;
  }) {
    this.id = at.id;
    this.name = at.name;
    this.spec = at.spec;
    this.parent = at.parent;
    this.purse = at.purse;
    this.depth = at.parent ? at.parent.depth + 1 : 0;
    this.box = new Inbox(at.inboxCap);
    this.conversation = at.conversation ?? at.id;
  }

  get inbox(): readonly InboxItem[] {
    return this.box.items;
  }

  get pool(): { readonly tokens: number; readonly toolCalls: number } {
    return { tokens: this.purse.tokensLeft, toolCalls: this.purse.toolCallsLeft };
  }

  get usageTotal(): number {
    return this.purse.tokensUsed;
  }

  get toolCallsTotal(): number {
    return this.purse.toolCallsUsed;
  }

  /** What `wait` waits for from now on. */
  setLast(ticket: Ticket): void {
    this.lastTicket = ticket;
    for (const tell of this.firstWaiters.splice(0)) tell(ticket);
  }

  /** True when a message of this node is trusted by the other: it is the same, or stands above it. */
  isAbove(other: AgentNode): boolean {
    for (let one: AgentNode | undefined = other; one; one = one.parent) if (one === this) return true;
    return false;
  }

  /** Itself and all below it, parents first. */
  *tree(): Generator<AgentNode, void> {
    yield this;
    for (const child of this.children) yield* child.tree();
  }
}
