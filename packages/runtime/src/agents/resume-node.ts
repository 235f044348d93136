import type { Answer } from '@x/core';
import { NothingParkedError } from '../errors.js';
import { faultText } from '../hook-list.js';
import type { AgentCore } from './agent-core.js';
import { type AgentNode, createTicket } from './agent-node.js';
import type { AgentResult } from './agent-types.js';
import { runAnswer, summary } from './run-ticket.js';
import { passPlaceOn, settle } from './schedule.js';
import { stopWith } from './wake-node.js';

/**
 * Goes on with the turn of a suspended node.
 *
 * @param durable - True when the answer came through the runtime, false when an agent above gave it in its own turn.
 * @throws `nothing_parked`, `answer_mismatch`, `answer_used`; then the node waits as before.
 */
export async function resumeNode(
  core: AgentCore,
  node: AgentNode,
  answer: Answer,
  {
    durable,
    signal,
    next,
  }: { readonly durable: boolean; readonly signal?: AbortSignal | undefined; readonly next: (node: AgentNode) => void },
): Promise<AgentResult> {
  const session = node.parkedIn ?? (await core.session(node));
  if (node.state !== 'suspended') throw new NothingParkedError('no suspended handle to resume');
  const { trace } = core;
  const question = node.pendingRequest;
  const before = node.lastTicket;
  const ticket = createTicket('', [], {});
  stopWith(signal, ticket);
  node.running = ticket;
  node.setLast(ticket);
  node.state = 'running';
  node.resuming = durable;
  if (node.parent) node.parent.runningChildren += 1;
  if (durable) {
    trace.add(node.id, 'suspended→idle (Answer accepted, checkpoint restored)');
    trace.add(node.id, 'idle→running (wake)');
  } else trace.add(node.id, `suspended→running (Answer ok=${answer.ok})`);
  try {
    const result = await runAnswer(core, node, session, answer, ticket);
    node.resuming = false;
    // A turn that failed leaves its question open.
    const failed = result.status !== 'done' && result.status !== 'incomplete' && result.status !== 'pending';
    const open = failed && (await session.parked()) !== undefined;
    settle(core, node, ticket, result, { keepQuestion: open ? question : undefined, next });
    return result;
  } catch (error) {
    node.resuming = false;
    node.state = 'suspended';
    node.running = undefined;
    node.lastTicket = before;
    trace.add(node.id, `running→suspended (${faultText(error)})`);
    ticket.settle(node.lastResult ?? summary('error', faultText(error), { turns: 0, tokens: 0 }));
    passPlaceOn(core, node, next);
    throw error;
  }
}

/** Looks for a question that another process left in the node's conversation. */
export async function loadParked(core: AgentCore, node: AgentNode): Promise<void> {
  const session = await core.session(node);
  const request = await session.parked();
  if (!request || node.state !== 'idle') return;
  node.parkedIn = session;
  node.pendingRequest = request;
  node.state = 'suspended';
  node.lastResult = { ...summary('pending', request.prompt, { turns: 0, tokens: 0 }), pending: request };
}

/** The first node in the tree whose question has this id; nodes that did not run in this process are looked up in the store. */
export async function findWaiting(core: AgentCore, root: AgentNode, answerId: string): Promise<AgentNode | undefined> {
  const nodes = [...root.tree()].filter((node) => node !== root);
  const known = nodes.find((node) => node.state === 'suspended' && node.pendingRequest?.id === answerId);
  if (known) return known;
  for (const node of nodes) {
    if (node.state !== 'idle' || node.turnsTotal > 0) continue;
    await loadParked(core, node);
    if (node.pendingRequest?.id === answerId) return node;
  }
  return undefined;
}
