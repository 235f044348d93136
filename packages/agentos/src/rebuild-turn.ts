import { AgentosError, type Json, type LaneStore } from '@x/core';

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
 * Rebuilds a past turn from the journal alone: every request byte for byte, every reply and tool result. No model and no
 * tool is asked.
 *
 * @throws {@link TurnNotJournaledError}
 */
export async function rebuildTurn(lane: Pick<LaneStore, 'journal'>, turnId: string): Promise<RebuiltTurn> {
  const entries = (await lane.journal(turnId)) as readonly Entry[];
  if (entries.length === 0) throw new TurnNotJournaledError(turnId);
  const of = (kind: string): readonly Entry[] => entries.filter((entry) => entry['kind'] === kind);
  const replies = new Map(of('model').map((entry) => [entry['step'], entry['message']]));
  const steps = of('request').map((entry) => ({
    step: Number(entry['step']),
    model: String(entry['model']),
    body: String(entry['body']),
    reply: replies.get(entry['step'] ?? null),
  }));
  const tools = of('tool').map(({ id, name, output, isError }) => ({
    id: String(id),
    name: String(name),
    output: String(output),
    isError: isError === true,
  }));
  const [parts] = of('parts');
  return {
    id: turnId,
    steps,
    tools,
    parts: { stable: texts(parts?.['stable']), volatile: texts(parts?.['volatile']) },
    signals: Array.isArray(parts?.['signals']) ? parts['signals'].map(String) : [],
  };
}

function texts(value: Json | undefined): { readonly [part: string]: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([part, text]) => [part, String(text)]));
}
