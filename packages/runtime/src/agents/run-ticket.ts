import { type Answer, isAgentosError, raceAbort } from '@x/core';
import { limitTime } from '../abort.js';
import type { TurnParkedError } from '../errors.js';
import { faultText } from '../hook-list.js';
import type { Budgets, Session, ToolCallRecord, TurnEvent, TurnResult } from '../session-types.js';
import { type AgentCore, withPath } from './agent-core.js';
import type { AgentNode, Ticket } from './agent-node.js';
import type { AgentLimit, AgentResult } from './agent-types.js';
import { accepts, retryPrompt } from './completion.js';
import { renderInbox } from './inbox.js';

/** Why a turn was stopped from outside. */
export type StopReason = { readonly stop: 'interrupted' | 'closed' };

/** One turn of a handle, from its ticket to its result. Never throws. */
export async function runTicket(core: AgentCore, node: AgentNode, ticket: Ticket): Promise<AgentResult> {
  const result = await askAgent(core, node, ticket);
  const { conversation } = ticket.options;
  if (conversation !== undefined && result.status !== 'pending') await core.forget(node, conversation);
  return result;
}

async function askAgent(core: AgentCore, node: AgentNode, ticket: Ticket): Promise<AgentResult> {
  const { prompt, items, options } = ticket;
  const used: Used = { turns: 0, tokens: 0, text: '' };
  const onEvent = listenerOf(core, node);
  const wall = wallOf(core, node, ticket);
  try {
    await raceAbort(node.before, wall.signal);
    const session = await raceAbort(core.session(node, options.conversation), wall.signal);
    if (options.reload) session.reload();
    const content = `${prompt}${renderInbox(items, core.random)}`.trimStart();
    const { tools } = options;
    const run = (text: string, origin: typeof options.origin) =>
      session.ask(
        { content: text, origin, sender: senderOf(ticket), tools, signal: ticket.abort.signal, budgets: budgetsOf(core, node, used.turns) },
        onEvent,
      );
    const first = await run(content, options.origin);
    ticket.isRead = true;
    return await completed(node, wall.signal, { session, first, used, retry: (text) => run(text, 'internal') });
  } catch (error) {
    return failed(node, ticket, { error, used, wall });
  } finally {
    wall.release();
  }
}

/** A turn that waited, with its answer. Throws when the answer was refused; then it goes on waiting. */
export async function runAnswer(core: AgentCore, node: AgentNode, session: Session, answer: Answer, ticket: Ticket): Promise<AgentResult> {
  const used: Used = { turns: 0, tokens: 0, text: '' };
  const { signal } = ticket.abort;
  const onEvent = listenerOf(core, node);
  const wall = wallOf(core, node, ticket);
  try {
    const result = await session.resume(answer, { signal, onEvent, budgets: budgetsOf(core, node, 0) });
    const retry = (text: string) =>
      session.ask({ content: text, origin: 'internal', signal, budgets: budgetsOf(core, node, used.turns) }, onEvent);
    return await completed(node, wall.signal, { session, first: result, used, retry });
  } catch (error) {
    if (isAgentosError(error) && ['answer_used', 'answer_mismatch', 'nothing_parked'].includes(error.code)) throw error;
    return failed(node, ticket, { error, used, wall });
  } finally {
    wall.release();
  }
}

/** Lets the agent try again until its answer passes the check, and writes down how it ended. */
async function completed(
  node: AgentNode,
  signal: AbortSignal,
  {
    session,
    first,
    used,
    retry,
  }: {
    readonly session: Session;
    readonly first: TurnResult;
    readonly used: Used;
    readonly retry: (prompt: string) => Promise<TurnResult>;
  },
): Promise<AgentResult> {
  const { completion } = node.spec;
  const toolCalls: ToolCallRecord[] = [];
  let result = first;
  for (let attempt = 1; ; attempt += 1) {
    used.turns += result.steps;
    used.tokens += result.usage.inputTokens + result.usage.outputTokens;
    node.turnsTotal += result.steps;
    toolCalls.push(...result.toolCalls);
    if (!completion || result.status !== 'done') break;
    used.text = result.text;
    const verdict = await raceAbort(Promise.resolve(completion.verify({ text: result.text, toolCalls })), signal);
    if (accepts(verdict)) break;
    if (attempt >= completion.maxAttempts) return { ...summary('incomplete', result.text, used), limit: 'completion' };
    result = await retry(retryPrompt(verdict));
  }
  if (result.pending) {
    node.parkedIn = session;
    const pending = withPath(result.pending, node.id);
    return { ...summary('pending', pending.prompt, used), pending };
  }
  if (result.status !== 'incomplete') return summary('done', result.text, used);
  const limit: AgentLimit = result.limit === 'maxSteps' ? 'maxTurns' : (result.limit ?? 'maxTurns');
  return spent(limit, { ...used, text: result.text || (limit === 'maxTurns' ? 'hit maxTurns without a final answer' : '') });
}

/** Of a run so far, with the last answer that its check was asked about. */
interface Used {
  turns: number;
  tokens: number;
  text: string;
}

type Wall = ReturnType<typeof limitTime>;

/** The wall time of a handle holds for functions of its host too: one that never ends must not hold up whoever waits. */
function wallOf(core: AgentCore, node: AgentNode, ticket: Ticket): Wall {
  const { deadlineMs } = node.purse;
  const leftMs = Number.isFinite(deadlineMs) ? Math.max(0, deadlineMs - core.clock.now()) : undefined;
  return limitTime(ticket.abort.signal, leftMs, core.clock);
}

function failed(
  node: AgentNode,
  ticket: Ticket,
  { error, used, wall }: { readonly error: unknown; readonly used: Used; readonly wall: Wall },
): AgentResult {
  if (wall.isOver() && isAgentosError(error) && error.code === 'turn_timeout') return spent('maxWallMs', used);
  const { signal } = ticket.abort;
  if (signal.aborted) {
    const { stop } = signal.reason as StopReason;
    return summary(stop, stop, used);
  }
  if (isAgentosError(error) && error.code === 'turn_parked') {
    const pending = withPath((error as TurnParkedError).request, node.id);
    return { ...summary('pending', pending.prompt, used), pending };
  }
  const text = error instanceof Error ? error.message : String(error);
  return { ...summary('error', text || faultText(error), used), ...(isAgentosError(error) && { code: error.code }) };
}

export function summary(
  status: AgentResult['status'],
  text: string,
  used: { readonly turns: number; readonly tokens: number },
): AgentResult {
  return { text, isError: status !== 'done' && status !== 'pending', status, turns: used.turns, totalTokens: used.tokens };
}

/** How a run ends that a limit stopped; without an answer it says which. */
export function spent(limit: AgentLimit, { text, ...used }: Readonly<Used> = { turns: 0, tokens: 0, text: '' }): AgentResult {
  return { ...summary('incomplete', text || `budget exhausted (${limit}); partial work preserved`, used), limit };
}

/** What is left of a run: a second try does not start from the full number of turns. */
function budgetsOf(core: AgentCore, node: AgentNode, turnsUsed: number): Budgets {
  const { deadlineMs, maxTurns } = node.purse;
  const maxSteps = Math.max(0, maxTurns - turnsUsed);
  return Number.isFinite(deadlineMs) ? { maxSteps, maxWallMs: Math.max(0, deadlineMs - core.clock.now()) } : { maxSteps };
}

// A turn that holds text of outside senders counts as theirs, so that nothing of it becomes the owner's.
function senderOf({ items, options }: Ticket): Ticket['options']['sender'] {
  const outside = [...new Set(items.filter((item) => !item.trusted).map((item) => item.from))];
  if (outside.length === 0) return options.sender;
  return { id: outside.length === 1 ? outside[0]! : 'several', owner: false };
}

function listenerOf({ options: { onEvent } }: AgentCore, node: AgentNode): ((event: TurnEvent) => void) | undefined {
  return onEvent && ((event) => onEvent(node.id, event));
}
