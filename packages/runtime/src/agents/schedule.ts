import type { PendingRequest } from '@x/core';
import type { AgentCore } from './agent-core.js';
import type { AgentNode, Ticket } from './agent-node.js';
import type { AgentResult } from './agent-types.js';
import { closeNode } from './close-node.js';
import { spent } from './run-ticket.js';

type Run = (node: AgentNode, ticket: Ticket) => Promise<AgentResult>;

/** Begins the next turn of a handle, unless one runs, none is asked for, or its parent has no place left. */
export function beginNext(core: AgentCore, node: AgentNode, run: Run): void {
  if (node.state !== 'idle' || node.running || node.tickets.length === 0 || node.closing !== undefined) return;
  const { parent } = node;
  if (parent && parent.runningChildren >= parent.purse.maxConcurrent) {
    if (parent.lineup.includes(node)) return;
    parent.lineup.push(node);
    core.trace.add(node.id, `wake QUEUED (parent concurrency ${parent.purse.maxConcurrent})`);
    return;
  }
  begin(core, node, run);
}

function begin(core: AgentCore, node: AgentNode, run: Run): void {
  const user = node.tickets.findIndex((ticket) => (ticket.options.origin ?? 'user') !== 'heartbeat');
  const [ticket] = node.tickets.splice(Math.max(0, user), 1);
  if (!ticket) return;
  node.running = ticket;
  node.state = 'running';
  if (node.parent) node.parent.runningChildren += 1;
  core.trace.add(node.id, 'idle→running (wake)');
  const next = (one: AgentNode): void => beginNext(core, one, run);
  const limit = node.purse.exhausted(core.clock.now());
  const work = limit ? Promise.resolve(spent(limit)) : run(node, ticket);
  void work.then((result) => settle(core, node, ticket, result, { next }));
}

/** Ends a turn: state and trace, then the place of the parent goes on, then whoever waits is told, then the next turn. */
export function settle(
  core: AgentCore,
  node: AgentNode,
  ticket: Ticket,
  result: AgentResult,
  { next, keepQuestion }: { readonly next: (node: AgentNode) => void; readonly keepQuestion?: PendingRequest | undefined },
): void {
  const question = result.pending ?? keepQuestion;
  node.running = undefined;
  node.pendingRequest = question;
  if (!question) node.parkedIn = undefined;
  node.state = question ? 'suspended' : 'idle';
  node.lastResult = result;
  restoreInbox(node, ticket);
  core.trace.add(node.id, ending(result));
  dropStrayTasks(core, node);
  passPlaceOn(core, node, next);
  ticket.settle(result);
  next(node);
}

/** What a turn took from the inbox comes back, unless it is in the transcript now. */
function restoreInbox(node: AgentNode, ticket: Ticket): void {
  if (!ticket.isRead) node.box.restore(ticket.items);
}

/** Gives the node's place to the child of its parent that waited longest and still can run. */
export function passPlaceOn(core: AgentCore, node: AgentNode, next: (node: AgentNode) => void): void {
  const { parent } = node;
  if (!parent) return;
  parent.runningChildren -= 1;
  for (let waiting = parent.lineup.shift(); waiting; waiting = parent.lineup.shift()) {
    // One that is being closed would take the place and leave it empty.
    if (waiting.closing !== undefined || waiting.tickets.length === 0) continue;
    core.trace.add(waiting.id, 'DEQUEUED wake (slot transferred)');
    next(waiting);
    return;
  }
}

/** A child whose question was not taken over by its parent's turn has nobody left who would answer. */
function dropStrayTasks(core: AgentCore, node: AgentNode): void {
  for (const [callId, child] of node.tasks) {
    if (child.state !== 'suspended' || child.pendingRequest?.id === node.pendingRequest?.id) continue;
    node.tasks.delete(callId);
    void closeNode(core, child, { force: true, reason: 'closed' });
  }
}

function ending({ status, pending, limit, turns, totalTokens, text }: AgentResult): string {
  if (pending) return `running→suspended (pending "${pending.kind}")`;
  if (status === 'done') return `running→idle (done, turns=${turns}, tokens=${totalTokens})`;
  if (status === 'incomplete') return `running→idle (incomplete: ${limit})`;
  if (status === 'error') return `running→idle (error: ${text.slice(0, 200)})`;
  return 'running→idle (interrupted; inbox intact)';
}
