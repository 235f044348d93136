import { AgentosError, answerTurnId, type Json, type LaneStore } from '@x/core';

/** The journal holds nothing of a turn: it was off, the time to keep it is over, or there was no such turn. */
export class TurnNotJournaledError extends AgentosError {
  override readonly name = 'TurnNotJournaledError';
  readonly code = 'turn_not_journaled';
  readonly retryable = false;
  constructor(turnId: string) {
    super(`The journal has no record of turn ${turnId}. Turn the journal on before the turns you want to rebuild.`);
  }
}

/** One request of a past turn, as it left the process. */
export interface RebuiltStep {
  /** From 0. */
  readonly step: number;
  readonly model: string;
  /** The bytes of messages and tools, as JSON. */
  readonly body: string;
  /** What the model answered, as a message; absent when the turn ended first. */
  readonly reply?: Json | undefined;
}

export interface RebuiltTurn {
  readonly id: string;
  readonly steps: readonly RebuiltStep[];
  readonly tools: readonly { readonly id: string; readonly name: string; readonly output: string; readonly isError: boolean }[];
  /** The parts that the prompt was composed of, by name. */
  readonly parts: { readonly stable: { readonly [part: string]: string }; readonly volatile: { readonly [part: string]: string } };
  readonly signals: readonly string[];
}

type Entry = { readonly [key: string]: Json };

/**
 * Rebuilds a past turn from the journal alone: every request byte for byte, every reply and tool result, also what
 * followed the answers that it waited for. No model and no tool is asked.
 *
 * @throws {@link TurnNotJournaledError}
 */
export async function rebuildTurn(lane: Pick<LaneStore, 'journal'>, turnId: string): Promise<RebuiltTurn> {
  const commits = await commitsOf(lane, turnId);
  if (commits.length === 0) throw new TurnNotJournaledError(turnId);
  const entries = commits.flat();
  const parts = entries.filter(({ kind }) => kind === 'parts');
  const tools = entries
    .filter(({ kind }) => kind === 'tool')
    .map(({ id, name, output, isError }) => ({ id: String(id), name: String(name), output: String(output), isError: isError === true }));
  return {
    id: turnId,
    steps: commits.flatMap(stepsOf).map((made, step) => ({ ...made, step })),
    tools,
    parts: { stable: texts(parts.at(-1)?.['stable']), volatile: texts(parts.at(-1)?.['volatile']) },
    signals: namesIn(parts[0]?.['signals']),
  };
}

/** The journal of each commit of a turn: it commits once when it ends, and before that each time it waits for a human. */
async function commitsOf(lane: Pick<LaneStore, 'journal'>, turnId: string): Promise<readonly (readonly Entry[])[]> {
  const commits: (readonly Entry[])[] = [];
  const read = new Set<string>();
  let names = [turnId];
  for (;;) {
    let entries: readonly Entry[] = [];
    for (const name of names) {
      if (entries.length > 0 || read.has(name)) continue;
      entries = (await lane.journal(name)) as readonly Entry[];
      if (entries.length > 0) read.add(name);
    }
    if (entries.length === 0) return commits;
    commits.push(entries);
    const parked = entries.find(({ kind }) => kind === 'parked');
    if (!parked) return commits;
    const request = String(parked['request']);
    // A tool that asks again under the same id has its revision in the name; the first time it has not.
    names = [answerTurnId(`${turnId}:${String(parked['transcriptRevision'])}`, request), answerTurnId(turnId, request)];
  }
}

function stepsOf(entries: readonly Entry[]): readonly Omit<RebuiltStep, 'step'>[] {
  const replies = new Map(entries.filter(({ kind }) => kind === 'model').map((entry) => [entry['step'], entry['message']]));
  return entries
    .filter(({ kind }) => kind === 'request')
    .map((entry) => ({ model: String(entry['model']), body: String(entry['body']), reply: replies.get(entry['step'] ?? null) }));
}

function namesIn(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function texts(value: Json | undefined): { readonly [part: string]: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([part, text]) => [part, String(text)]));
}
