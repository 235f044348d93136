import { type Answer, type Clock, type IAgentStore, InvalidArgumentError } from '@x/core';
import { AnswerMismatchError, NothingParkedError } from '../errors.js';
import { type AgentCore, createAgentCore, pathOf } from './agent-core.js';
import { AgentNode, type Ticket } from './agent-node.js';
import type {
  AgentBudget,
  AgentResult,
  AgentSpec,
  Handle,
  HandleDetails,
  HandleRow,
  Post,
  RuntimeOptions,
  SpawnOptions,
  VerbResult,
  WakeOptions,
} from './agent-types.js';
import { closeNode } from './close-node.js';
import { interruptNode } from './interrupt-node.js';
import { Purse } from './purse.js';
import { findWaiting, resumeNode } from './resume-node.js';
import { runTicket, summary } from './run-ticket.js';
import { beginNext } from './schedule.js';
import { spawnNode } from './spawn-node.js';
import { taskTool } from './task-tool.js';
import { createTaskVerbs } from './tasks.js';
import { wakeNode } from './wake-node.js';

const OK: VerbResult = { ok: true };
const no = (error: string): VerbResult => ({ ok: false, error });
const NOTHING = { turns: 0, tokens: 0 };

/** Agents that live next to each other, and the verbs by which a host moves them. */
export class AgentRuntime {
  /** The parent of all handles; it runs no turns. */
  readonly root: Handle;
  readonly #root: AgentNode;
  readonly #core: AgentCore;
  readonly #nodes = new WeakSet<Handle>();

  constructor(options: RuntimeOptions & { readonly registry: ReadonlyMap<string, AgentSpec> }) {
    const { inboxCap = 8 } = options;
    if (!(Number.isInteger(inboxCap) && inboxCap >= 1)) throw new InvalidArgumentError('inboxCap must be a whole number, 1 or more.');
    const tasks = createTaskVerbs(() => ({
      core: this.#core,
      adopt: (node) => void this.#nodes.add(node),
      next: (node) => this.#next(node),
      wake: (node, prompt, how) => this.wake(node, prompt, how),
      wait: (node, how) => this.wait(node, how),
    }));
    this.#core = createAgentCore(options.registry, options, (node) => taskTool(node, { registry: options.registry, ...tasks }));
    const purse = new Purse({ maxConcurrent: Number.POSITIVE_INFINITY }, undefined, this.#core.clock.now());
    this.#root = new AgentNode({ id: 'root', name: 'root', spec: { does: '' }, parent: undefined, purse, inboxCap });
    this.root = this.#root;
    this.#nodes.add(this.#root);
  }

  get clock(): Clock {
    return this.#core.clock;
  }

  get store(): IAgentStore {
    return this.#core.store;
  }

  /** The last 10,000 lines of what the handles went through. */
  get trace(): readonly string[] {
    return this.#core.trace.lines;
  }

  /** Model calls that run now. */
  get concurrentTurns(): number {
    return this.#core.gate.running;
  }

  get maxObservedConcurrentTurns(): number {
    return this.#core.gate.maxRunning;
  }

  /** Makes a handle below another. A refusal is a handle with `error`; it uses up no number. */
  spawn(parent: Handle, name: string, budget: AgentBudget = {}, options: SpawnOptions = {}): Handle {
    const above = this.#nodeOf(parent);
    if (typeof above === 'string') return refused(name, above);
    const made = spawnNode(this.#core, above, name, budget, options);
    if (typeof made === 'string') return refused(name, made);
    this.#nodes.add(made);
    return made;
  }

  /** Lays a message into the inbox; it is read with the next turn. Does not wake. */
  post(handle: Handle, post: Post): VerbResult {
    const node = this.#nodeOf(handle);
    if (typeof node === 'string') return no(node);
    if (node.state === 'closed') return no(`inbox closed: ${node.id}`);
    const { from, channel, text } = (post ?? {}) as Partial<Post>;
    const sender = typeof from === 'string' ? from : from?.id;
    // What is no text could not be shown, and would come back into the inbox with each failed turn.
    if (from === undefined || typeof sender !== 'string' || typeof channel !== 'string' || typeof text !== 'string')
      return no('a post needs from, channel and text');
    const trusted = typeof from !== 'string' && this.#nodes.has(from) && (from as AgentNode).isAbove(node);
    if (node.box.post({ from: sender, channel, text, trusted })) return OK;
    this.#core.trace.add(node.id, `post REJECTED (inbox full, cap ${node.box.cap}) from ${sender.slice(0, 80)}`);
    return no(`inbox full: ${node.id} (cap ${node.box.cap})`);
  }

  /**
   * Asks for a turn with this prompt and the inbox as it is now. While one is running, the turn comes after it. A `signal`
   * takes back this turn and no other: it is stopped, or never begins.
   */
  wake(handle: Handle, prompt = '', options: WakeOptions = {}): VerbResult {
    const node = this.#nodeOf(handle);
    if (typeof node === 'string') return no(node);
    if (node === this.#root) return no('root runs no turns');
    if (typeof prompt !== 'string') return no('the prompt of a turn must be text');
    return wakeNode(this.#core, node, { prompt, options, next: (one) => this.#next(one) });
  }

  /**
   * The result of the turn that the last accepted `wake` asked for; before the first wake it waits for one. Never
   * rejects: a time-out is a result, and the turn goes on.
   */
  async wait(
    handle: Handle,
    { timeoutMs, by }: { readonly timeoutMs?: number | undefined; readonly by?: Handle | undefined } = {},
  ): Promise<AgentResult> {
    const node = this.#nodeOf(handle);
    if (typeof node === 'string') return summary('error', node, NOTHING);
    if (by && by !== node.parent) return summary('error', `wait refused: only the spawner may wait on ${node.id}`, NOTHING);
    if (node.state === 'closed' && !node.lastTicket) return summary('closed', 'closed', NOTHING);
    const ticket = node.lastTicket ?? (await this.#limited(new Promise<Ticket>((resolve) => node.firstWaiters.push(resolve)), timeoutMs));
    const result = ticket && (await this.#limited(ticket.result, timeoutMs));
    return result ?? summary('timeout', `wait timeout after ${timeoutMs}ms (child still ${node.state})`, NOTHING);
  }

  /** Stops the running turn at once; its inbox items come back. On a suspended handle it takes the question back. */
  interrupt(handle: Handle): VerbResult {
    const node = this.#nodeOf(handle);
    if (typeof node === 'string') return no(node);
    return interruptNode(this.#core, node, (one) => this.#next(one));
  }

  /** Children first, then the handle: waits up to `shutdownMs` for a running turn, then aborts it. */
  async close(
    handle: Handle,
    { force = false, reason = 'closed' }: { readonly force?: boolean | undefined; readonly reason?: string | undefined } = {},
  ): Promise<void> {
    const node = this.#nodeOf(handle);
    if (typeof node !== 'string') await closeNode(this.#core, node, { force, reason });
  }

  /** The handles below one, in the order of the tree. */
  list(from: Handle = this.root): readonly HandleRow[] {
    const node = this.#nodeOf(from);
    return typeof node === 'string' ? [] : [...node.tree()].filter((one) => one !== this.#root).map(row);
  }

  inspect(
    handle: Handle,
  ): (HandleDetails & { readonly ok: true; readonly error?: undefined }) | { readonly ok: false; readonly error: string } {
    const node = this.#nodeOf(handle);
    if (typeof node === 'string') return { ok: false, error: node };
    const { pendingRequest, turnsTotal, pool } = node;
    return { ok: true, ...row(node), turns: turnsTotal, poolTokens: pool.tokens, ...(pendingRequest && { pending: pendingRequest }) };
  }

  /**
   * Answers the question that a handle waits with, also one that another process left in the store for a handle of the
   * same id. Settles when the turn that it set free has ended; the signal stops that turn, and its question is open again.
   *
   * @throws `nothing_parked` when no handle waits, `answer_mismatch` when none waits for this answer, `answer_used`.
   */
  async resume(answer: Answer, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<AgentResult> {
    signal?.throwIfAborted();
    const found = await findWaiting(this.#core, this.#root, answer.id);
    if (!found) {
      const other = [...this.#root.tree()].find((node) => node.state === 'suspended')?.pendingRequest?.id;
      if (other !== undefined) throw new AnswerMismatchError({ expected: other, got: answer.id });
      throw new NothingParkedError('no suspended handle to resume');
    }
    const { trace } = this.#core;
    const path = pathOf(found.pendingRequest ?? { id: '', kind: '', prompt: '' });
    const chain = [...found.tree()].filter((node) => node.pendingRequest?.id === answer.id);
    for (const node of chain.reverse()) {
      if (node.id === path || chain.length === 1) {
        trace.add(node.id, `resume with Answer(ok=${answer.ok}) at checkpoint (turns so far: ${node.turnsTotal})`);
      } else trace.add(node.id, 'cascade resume (reattaching delegated work)');
    }
    return resumeNode(this.#core, found, answer, { durable: true, signal, next: (node) => this.#next(node) });
  }

  #nodeOf(handle: Handle): AgentNode | string {
    if (this.#nodes.has(handle)) return handle as AgentNode;
    return handle?.error ?? 'not a handle of this runtime';
  }

  #next(node: AgentNode): void {
    beginNext(this.#core, node, (one, ticket) => runTicket(this.#core, one, ticket));
  }

  async #limited<T>(work: Promise<T>, timeoutMs: number | undefined): Promise<T | undefined> {
    if (timeoutMs === undefined) return work;
    let cancel = (): void => {};
    const late = new Promise<undefined>((resolve) => {
      cancel = this.#core.clock.setTimeout(() => resolve(undefined), timeoutMs);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      cancel();
    }
  }
}

function refused(name: string, error: string): Handle {
  const pool = { tokens: 0, toolCalls: 0 };
  return { id: '', state: 'closed', error, name, depth: 0, children: [], inbox: [], pool, usageTotal: 0, toolCallsTotal: 0, turnsTotal: 0 };
}

function row({ id, state, usageTotal, inbox }: AgentNode): HandleRow {
  return { id, state, tokens: usageTotal, inbox: inbox.length };
}
