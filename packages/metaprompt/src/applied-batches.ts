import {
  type AgentState,
  applyOperation,
  type Clock,
  createId,
  inverseOperation,
  type Json,
  type LaneStore,
  type Logged,
  ownValue,
  type Random,
  systemClock,
} from '@x/core';
import { commitFresh } from './commit-fresh.js';
import { BatchUnknownError } from './errors.js';
import { METAPROMPT_HOOK } from './metaprompt-hook.js';
import { MOOD_FADED } from './mood-decay.js';

/** A batch whose changes are in the log. */
export interface AppliedBatch {
  /** What the operations' `turn` says. */
  readonly id: string;
  readonly atMs: number;
  /** What it changed, without the bookkeeping of metaprompts. */
  readonly operations: readonly Logged[];
  readonly undone: boolean;
}

/** What {@link undoBatch} did. */
export interface UndoneBatch {
  readonly operations: readonly Logged[];
  /** Ids of changes that something later had overwritten; these stay. */
  readonly superseded: readonly string[];
}

const undoWhy = (batchId: string): string => `undo ${batchId}`;
const isChange = ({ operation }: Logged): boolean => 'set' in operation || 'imprint' in operation || 'trait' in operation;

/** Every batch of metaprompts that changed something in this lane, oldest first: a view of the one log. */
export async function appliedBatches(lane: LaneStore): Promise<readonly AppliedBatch[]> {
  const groups = new Map<string, Logged[]>();
  const undone = new Set<string>();
  for await (const entry of lane.operations()) {
    if (entry.why.startsWith(undoWhy(''))) undone.add(entry.why.slice(undoWhy('').length));
    if (entry.by !== METAPROMPT_HOOK || !isChange(entry) || entry.why === MOOD_FADED) continue;
    const group = groups.get(entry.turn);
    if (group) group.push(entry);
    else groups.set(entry.turn, [entry]);
  }
  return [...groups].map(([id, operations]) => ({ id, atMs: operations[0]?.atMs ?? 0, operations, undone: undone.has(id) }));
}

/**
 * Takes back what one batch changed, the last change first, in one commit. A value that something later has set anew is
 * left as it is.
 *
 * @throws {@link BatchUnknownError}
 */
export async function undoBatch(
  lane: LaneStore,
  batchId: string,
  { clock = systemClock, random = Math.random }: { readonly clock?: Clock | undefined; readonly random?: Random | undefined } = {},
): Promise<UndoneBatch> {
  const batch = (await appliedBatches(lane)).find((one) => one.id === batchId && !one.undone);
  if (!batch) throw new BatchUnknownError('No applied batch has this id, or it was taken back before. appliedBatches() names them.');
  let superseded: readonly string[] = [];
  const turn = createId('undo', random);
  const operations = await commitFresh(lane, 'main', turn, ({ state }) => {
    const standing = standingOf(batch.operations, state);
    superseded = batch.operations.filter((entry) => !standing.includes(entry)).map((entry) => entry.id);
    const cause = { by: METAPROMPT_HOOK, why: undoWhy(batchId), turn, atMs: clock.now() };
    return {
      operations: standing.map((entry) => ({
        ...cause,
        id: createId('op', random),
        operation: inverseOperation(entry),
        from: null,
        to: null,
      })),
    };
  });
  return { operations: operations ?? [], superseded };
}

/** What of a batch is undone, the last change first: each change is judged by what the undoing of those after it leaves. */
function standingOf(changes: readonly Logged[], state: AgentState): readonly Logged[] {
  let now = state;
  return changes.toReversed().filter((entry) => {
    if (!('trait' in entry.operation) && JSON.stringify(standsAt(entry.operation, now)) !== JSON.stringify(entry.to)) return false;
    now = applyOperation(now, inverseOperation(entry)).state;
    return true;
  });
}

function standsAt(operation: Logged['operation'], state: AgentState): Json {
  if ('set' in operation) return state[operation.set] ?? null;
  return 'imprint' in operation ? (ownValue(state.imprints, operation.imprint) ?? null) : null;
}
