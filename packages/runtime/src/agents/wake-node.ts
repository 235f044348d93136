import type { AgentCore } from './agent-core.js';
import { type AgentNode, createTicket, type Ticket } from './agent-node.js';
import type { VerbResult, WakeOptions } from './agent-types.js';
import { type StopReason, spent, summary } from './run-ticket.js';

const NOTHING = { turns: 0, tokens: 0 };
const no = (error: string): VerbResult => ({ ok: false, error });

/** Asks for a turn of a node, or says why there is none. */
export function wakeNode(
  core: AgentCore,
  node: AgentNode,
  { prompt, options, next }: { readonly prompt: string; readonly options: WakeOptions; readonly next: (node: AgentNode) => void },
): VerbResult {
  const { signal } = options;
  if (node.state === 'closed' || node.closing !== undefined) return no(`closed: ${node.id}`);
  if (signal?.aborted) return no(`aborted before it began: ${node.id}`);
  dropExpired(core, node);
  if (node.state === 'suspended') return no(`suspended: ${node.id} waits for the answer to ${node.pendingRequest?.id}`);
  const limit = node.purse.exhausted(core.clock.now());
  if (limit) {
    const ticket = createTicket('', [], {});
    node.lastResult = spent(limit);
    ticket.settle(node.lastResult);
    if (!node.running && node.tickets.length === 0) node.setLast(ticket);
    core.trace.add(node.id, `wake REFUSED (budget ${limit})`);
    return no(node.lastResult.text);
  }
  const ticket = createTicket(prompt, node.box.drain(), options);
  node.tickets.push(ticket);
  node.setLast(ticket);
  stopWith(signal, ticket, () => takeBack(core, node, ticket));
  next(node);
  return { ok: true };
}

/** Stops the turn of a ticket when the signal is aborted; `stop` is for one that has not begun. */
export function stopWith(signal: AbortSignal | undefined, ticket: Ticket, stop: () => void = () => {}): void {
  if (!signal) return;
  const onAbort = (): void => {
    stop();
    ticket.abort.abort({ stop: 'interrupted' } satisfies StopReason);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  void ticket.result.then(() => signal.removeEventListener('abort', onAbort));
  if (signal.aborted) onAbort();
}

/** A turn that has not begun is not asked for any more; what it took from the inbox comes back. */
function takeBack(core: AgentCore, node: AgentNode, ticket: Ticket): void {
  const place = node.tickets.indexOf(ticket);
  if (place < 0) return;
  node.tickets.splice(place, 1);
  node.box.restore(ticket.items);
  const line = node.parent?.lineup ?? [];
  if (node.tickets.length === 0 && line.includes(node)) line.splice(line.indexOf(node), 1);
  core.trace.add(node.id, 'wake TAKEN BACK (its signal was aborted)');
  ticket.settle(summary('interrupted', 'interrupted', NOTHING));
}

/** A question past its time no longer holds the handle; its turn is closed by the next one. */
function dropExpired(core: AgentCore, node: AgentNode): void {
  const { expiresAtMs } = node.pendingRequest ?? {};
  if (node.state !== 'suspended' || expiresAtMs === undefined || core.clock.now() <= expiresAtMs) return;
  core.trace.add(node.id, 'suspended→idle (the question expired)');
  node.state = 'idle';
  node.pendingRequest = undefined;
  node.parkedIn = undefined;
}
