import { settledWithin } from '../abort.js';
import { faultText } from '../hook-list.js';
import type { AgentCore } from './agent-core.js';
import { type AgentNode, createTicket } from './agent-node.js';
import type { StopReason } from './run-ticket.js';

/**
 * Closes a handle, its children first. A running turn gets `shutdownMs`, or nothing with `force`; then it is aborted
 * and its inbox items come back. `onClose` gets as long, then it is left behind. A question that waits stays in the store and can be answered in another process.
 */
export function closeNode(core: AgentCore, node: AgentNode, options: { readonly force: boolean; readonly reason: string }): Promise<void> {
  node.closing ??= close(core, node, options);
  // Also what an earlier, patient close still waits for.
  if (options.force) for (const one of node.tree()) stopRunning(one);
  return node.closing;
}

async function close(
  core: AgentCore,
  node: AgentNode,
  { force, reason }: { readonly force: boolean; readonly reason: string },
): Promise<void> {
  const { trace, clock } = core;
  const { shutdownMs = 200 } = core.options;
  const closed = { text: 'closed', isError: true, status: 'closed', turns: 0, totalTokens: 0 } as const;
  for (const ticket of node.tickets.splice(0)) {
    node.box.restore(ticket.items);
    ticket.settle(closed);
  }
  const calm = node.running && !force ? settledWithin(node.running.result, shutdownMs, clock) : undefined;
  await Promise.all(node.children.map((child) => closeNode(core, child, { force, reason })));
  await calm;
  stopRunning(node);
  await node.running?.result;
  const before = node.state;
  node.state = 'closed';
  const told = Promise.resolve()
    .then(() => node.spec.onClose?.(node))
    .catch((error) => trace.add(node.id, `onClose error: ${faultText(error)}`));
  if (!(await settledWithin(told, shutdownMs, clock))) trace.add(node.id, `onClose is not done after ${shutdownMs} ms and was left behind`);
  const { parent } = node;
  if (parent) {
    parent.children = parent.children.filter((child) => child !== node);
    const place = parent.lineup.indexOf(node);
    if (place >= 0) parent.lineup.splice(place, 1);
  }
  for (const tell of node.firstWaiters.splice(0)) {
    const ticket = createTicket('', [], {});
    ticket.settle(closed);
    tell(ticket);
  }
  trace.add(node.id, `${before}→closed (${reason})`);
  await core.leave(node).catch((error) => trace.add(node.id, `close error: ${faultText(error)}`));
}

function stopRunning(node: AgentNode): void {
  node.running?.abort.abort({ stop: 'closed' } satisfies StopReason);
}
