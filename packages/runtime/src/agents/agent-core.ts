import {
  type Clock,
  createMemoryStore,
  type IAgentStore,
  type IChatModel,
  InvalidArgumentError,
  type ITool,
  type LaneScope,
  laneKey,
  type PendingRequest,
  type Random,
  systemClock,
} from '@x/core';
import { faultText } from '../hook-list.js';
import { type Lane, openLane } from '../open-lane.js';
import type { Session, WaitFor } from '../session-types.js';
import type { AgentNode } from './agent-node.js';
import { type AgentTrace, createAgentTrace } from './agent-trace.js';
import type { AgentSpec, RuntimeOptions } from './agent-types.js';
import { guardrailHook } from './guardrails.js';
import { createTurnGate, type TurnGate } from './turn-gate.js';

/** What the parts of a runtime share. */
export interface AgentCore {
  readonly options: RuntimeOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly store: IAgentStore;
  readonly gate: TurnGate;
  readonly trace: AgentTrace;
  readonly registry: ReadonlyMap<string, AgentSpec>;
  /** The session of a node's conversation, opened on first use. */
  session(node: AgentNode, conversation?: string | undefined): Promise<Session>;
  /** The ancestor that has the same lane, if one has: while its turn runs, no other can. */
  sharesLane(node: AgentNode): AgentNode | undefined;
  /** Closes the session of a conversation that is over, such as a beat's. */
  forget(node: AgentNode, conversation: string): Promise<void>;
  /** Closes what a node had opened; a lane goes with its last user. */
  leave(node: AgentNode): Promise<void>;
}

export function createAgentCore(
  registry: ReadonlyMap<string, AgentSpec>,
  options: RuntimeOptions,
  taskTool: (node: AgentNode) => ITool | undefined,
): AgentCore {
  const { clock = systemClock, random = Math.random, maxConcurrentTurns = 8 } = options;
  if (!(maxConcurrentTurns >= 1)) throw new InvalidArgumentError('maxConcurrentTurns must be 1 or more.');
  const store = options.store ?? createMemoryStore({ clock, random });
  const gate = createTurnGate(maxConcurrentTurns);
  const trace = createAgentTrace();
  const lanes = new Map<string, { readonly lane: Promise<Lane>; users: number }>();

  const scopeOf = (node: AgentNode): LaneScope =>
    node.spec.scope ?? { persona: node.name, user: options.user ?? 'local', session: node.conversation };
  const laneOf = (node: AgentNode): Promise<Lane> => {
    const scope = scopeOf(node);
    const key = laneKey(scope);
    const shared = lanes.get(key) ?? { lane: openLane({ store, scope, initial: node.spec.initial, clock, random }), users: 0 };
    shared.users += 1;
    lanes.set(key, shared);
    // A store that failed may be back: whoever comes next opens the lane anew.
    shared.lane.catch(() => {
      if (lanes.get(key) === shared) lanes.delete(key);
      if (node.lane === shared.lane) node.lane = undefined;
    });
    return shared.lane;
  };

  const modelOf = (node: AgentNode): IChatModel => {
    const { model = 'inherit' } = node.spec;
    if (typeof model !== 'string') return gate.guard(model);
    if (model === 'inherit') return gate.guard(options.model);
    if (!options.resolveModel) {
      throw new InvalidArgumentError(`Agent ${node.name} names a model. Give the runtime a resolveModel, or the agent the model itself.`);
    }
    return gate.guard(options.resolveModel({ modelId: model }));
  };

  const open = async (node: AgentNode, conversation: string): Promise<Session> => {
    const { spec } = node;
    node.lane ??= laneOf(node);
    const lane = await node.lane;
    const task = taskTool(node);
    const guardrails = spec.guardrails?.length ? [guardrailHook(spec.guardrails)] : [];
    const { resolveModel } = options;
    return lane.session({
      conversation,
      model: () => modelOf(node),
      resolveModel: resolveModel && ((want) => gate.guard(resolveModel(want))),
      features: [...guardrails, ...(options.features ?? []), ...(spec.features ?? [])],
      hooks: spec.hooks ?? options.hooks,
      onMetric: spec.onMetric ?? options.onMetric,
      tools: [...(spec.tools ?? []), ...(spec.uses?.tools ?? []), ...(task ? [task] : [])],
      stable: () => ({ soul: typeof spec.soul === 'function' ? spec.soul() : (spec.soul ?? '') }),
      budgets: { maxSteps: node.purse.maxTurns },
      meter: node.purse.meter(clock.now),
      waitFor: spec.waitFor && escalating(node, spec.waitFor),
      generation: spec.generation,
      placement: spec.placement,
      toolTimeoutMs: spec.toolTimeoutMs ?? options.toolTimeoutMs,
    });
  };

  const escalating =
    (node: AgentNode, waitFor: WaitFor): WaitFor =>
    (request, how) => {
      trace.add(pathOf(request) ?? node.id, `escalate → ${node.id} answers ("nearest interpreter")`);
      return waitFor(request, how);
    };

  return {
    options,
    clock,
    random,
    store,
    gate,
    trace,
    registry,
    session(node, conversation = node.conversation) {
      const known = node.sessions.get(conversation) ?? open(node, conversation);
      node.sessions.set(conversation, known);
      known.catch(() => {
        if (node.sessions.get(conversation) === known) node.sessions.delete(conversation);
      });
      return known;
    },
    sharesLane(node) {
      const key = laneKey(scopeOf(node));
      let above = node.parent;
      while (above && laneKey(scopeOf(above)) !== key) above = above.parent;
      return above;
    },
    async forget(node, conversation) {
      if (conversation === node.conversation) return;
      const session = await node.sessions.get(conversation)?.catch(() => undefined);
      node.sessions.delete(conversation);
      void session?.close().catch((error) => trace.add(node.id, `close error: ${faultText(error)}`));
    },
    async leave(node) {
      const sessions = await Promise.allSettled(node.sessions.values());
      await Promise.all(sessions.map((opened) => (opened.status === 'fulfilled' ? opened.value.close() : undefined)));
      node.sessions.clear();
      const lane = await node.lane?.catch(() => undefined);
      const shared = lane && lanes.get(lane.key);
      if (!shared) return;
      shared.users -= 1;
      if (shared.users > 0) return;
      lanes.delete(lane.key);
      await lane.close();
    },
  };
}

/** The id of the handle that a question came from, as its relays wrote it down. */
export function pathOf(request: PendingRequest): string | undefined {
  const { data } = request;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined;
  const path = (data as { readonly path?: unknown }).path;
  return Array.isArray(path) && path.every((part) => typeof part === 'string') ? path.join('/') : undefined;
}

/** The same question with the place it came from; a place that is there already stays. */
export function withPath(request: PendingRequest, id: string): PendingRequest {
  if (pathOf(request) !== undefined) return request;
  const { data } = request;
  const own = typeof data === 'object' && data !== null && !Array.isArray(data) ? data : data === undefined ? {} : { value: data };
  return { ...request, data: { ...own, path: id.split('/') } };
}
