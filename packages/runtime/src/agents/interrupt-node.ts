import { faultText } from '../hook-list.js';
import type { AgentCore } from './agent-core.js';
import { type AgentNode, createTicket } from './agent-node.js';
import type { VerbResult } from './agent-types.js';
import { closeNode } from './close-node.js';
import { type StopReason, summary } from './run-ticket.js';

/** Stops the turn that runs, or takes back the question that a node waits with. */
export function interruptNode(core: AgentCore, node: AgentNode, next: (node: AgentNode) => void): VerbResult {
  if (node.state === 'running' && node.running) {
    node.running.abort.abort({ stop: 'interrupted' } satisfies StopReason);
    return { ok: true };
  }
  if (node.state !== 'suspended') return { ok: false, error: `nothing to interrupt: ${node.id} (${node.state})` };
  const { parkedIn, pendingRequest } = node;
  node.before = Promise.resolve(parkedIn?.cancel()).then(
    () => undefined,
    (error) => core.trace.add(node.id, `cancel error: ${faultText(error)}`),
  );
  for (const child of node.tasks.values()) void closeNode(core, child, { force: true, reason: 'interrupted' });
  node.tasks.clear();
  node.state = 'idle';
  node.pendingRequest = undefined;
  node.parkedIn = undefined;
  node.lastResult = summary('interrupted', 'interrupted', { turns: 0, tokens: 0 });
  const ticket = createTicket('', [], {});
  ticket.settle(node.lastResult);
  if (node.tickets.length === 0) node.setLast(ticket);
  core.trace.add(node.id, `suspended→idle (interrupt cancelled pending "${pendingRequest?.kind ?? ''}")`);
  next(node);
  return { ok: true };
}
