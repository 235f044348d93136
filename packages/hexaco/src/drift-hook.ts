import {
  type AgentState,
  type Change,
  GMIEventType,
  InvalidArgumentError,
  type IPersonaDefinition,
  isStrangersTurn,
  jsonObject,
  KEYS,
  type Turn,
  type TurnHook,
  toJson,
} from '@x/core';
import { writeCause } from './cause.js';
import { checkFigures } from './check-options.js';
import { type DriftRecord, readDriftRecord } from './drift-record.js';
import {
  type DriftProposal,
  type DriftTrend,
  type PersonaDriftConfig,
  PersonaDriftMechanism,
  type ScoredTurn,
} from './persona-drift-mechanism.js';
import { type BudgetOptions, changeTrait } from './trait-budget.js';
import { currentTraits, HEXACO_TRAITS, readTraits, type Traits } from './traits.js';

export interface DriftHookOptions extends Omit<PersonaDriftConfig, 'enabled'>, Omit<BudgetOptions, 'baseline'> {
  readonly persona: Pick<IPersonaDefinition, 'personalityTraits'>;
  /** `propose` writes proposals down and changes nothing; `apply` makes them, within the session's budget. Default `propose`. */
  readonly mode?: 'propose' | 'apply' | undefined;
  /** Scored user turns in a cycle; default 20. */
  readonly cycleTurns?: number | undefined;
  /** Distance of any trait from the persona's score at which learning pauses, 0 to 1; default 0.3. */
  readonly alarmDistance?: number | undefined;
  /** Distance below which it goes on; default 0.2, and at most two thirds of `alarmDistance`. */
  readonly resumeDistance?: number | undefined;
  /** How a turn was scored; default: what the sentiment hook left in the state. `undefined` for a turn without a score. */
  readonly readAffect?: ((turn: Pick<Turn, 'state' | 'atMs'>) => Pick<ScoredTurn, 'valence' | 'arousal'> | undefined) | undefined;
}

/** The name under which drift stands in the log. */
export const DRIFT_HOOK = 'drift';

/** What closing a cycle needs: a turn, or background work with an id of its own. */
export type DriftTarget = Change & { readonly state: AgentState; readonly atMs: number };

/** The hook, and the end of a session for hosts that know one. */
export interface DriftHook extends TurnHook {
  /** Ends the running cycle early, as the end of a session does; may analyse and apply. */
  endSession(target: DriftTarget): void;
}

/** Traces that are kept at most; older ones leave. */
const MAX_TRACES = 200;

/**
 * Lets a persona drift slowly with what its user's turns have in common: gathers scored user turns, and after every
 * `analysisInterval` cycles looks for a tendency. Far from the persona's own scores it raises `persona_drift` and
 * learns nothing until decay has brought the traits back. In the lane of a directory only the owner's turns count.
 *
 * @throws {@link InvalidArgumentError} a setting outside its range.
 */
export function driftHook(options: DriftHookOptions): DriftHook {
  checkFigures(options);
  const {
    cycleTurns = 20,
    readAffect = affectOf,
    alarmDistance = 0.3,
    // Well below the alarm, or the one would follow the other on every turn.
    resumeDistance = Math.min(0.2, (alarmDistance * 2) / 3),
    mode,
  } = options;
  if (resumeDistance > alarmDistance) throw new InvalidArgumentError('resumeDistance must not be above alarmDistance');
  if (mode !== undefined && mode !== 'propose' && mode !== 'apply') throw new InvalidArgumentError("mode must be 'propose' or 'apply'");
  const mechanism = new PersonaDriftMechanism({ ...options, enabled: true });
  const baseline = readTraits(options.persona.personalityTraits).traits;
  const settle = (target: DriftTarget, record: DriftRecord): DriftRecord =>
    record.cycles >= mechanism.analysisInterval ? analyse(target, record, mechanism, { ...options, baseline }) : record;
  const keep = (target: DriftTarget, record: DriftRecord): void => target.apply({ put: KEYS.drift, value: toJson(record) }, 'scored turns');
  return {
    name: DRIFT_HOOK,
    afterTurn(turn) {
      if (turn.origin !== 'user' || isStrangersTurn(turn)) return;
      const affect = readAffect(turn);
      const before = readDriftRecord(turn.state.values[KEYS.drift]);
      const watched = watch(turn, before, { baseline, alarmDistance, resumeDistance });
      if (!affect) {
        if (watched !== before) keep(turn, watched);
        return;
      }
      const trace: ScoredTurn = { valence: affect.valence, arousal: affect.arousal, turn: turn.id, atMs: turn.atMs };
      const traces = [...watched.traces, trace].slice(-MAX_TRACES);
      const full = watched.inCycle + 1 >= cycleTurns;
      const next = { ...watched, traces, inCycle: full ? 0 : watched.inCycle + 1, cycles: watched.cycles + (full ? 1 : 0) };
      keep(turn, full ? settle(turn, next) : next);
    },
    endSession(target) {
      const record = readDriftRecord(target.state.values[KEYS.drift]);
      if (record.inCycle > 0) keep(target, settle(target, { ...record, inCycle: 0, cycles: record.cycles + 1 }));
    },
  };
}

interface Watched {
  readonly baseline: Traits;
  readonly alarmDistance: number;
  readonly resumeDistance: number;
}

function watch(turn: Turn, record: DriftRecord, { baseline, alarmDistance, resumeDistance }: Watched): DriftRecord {
  const current = currentTraits(turn.state.traits, baseline);
  const [trait = 'openness'] = HEXACO_TRAITS.toSorted((a, b) => Math.abs(current[b] - baseline[b]) - Math.abs(current[a] - baseline[a]));
  const distance = Math.abs(current[trait] - baseline[trait]);
  if (!record.paused && distance >= alarmDistance) {
    turn.raise({
      eventType: GMIEventType.PERSONA_DRIFT,
      severity: 'high',
      metadata: { trait, distance: Math.round(distance * 1000) / 1000 },
    });
    turn.trace({
      type: 'WARNING',
      message: `Drift alarm: ${trait} is far from the persona's score; learning pauses.`,
      details: { trait, distance },
    });
    return { ...record, paused: true };
  }
  if (record.paused && distance <= resumeDistance) {
    turn.trace({ type: 'DEBUG', message: 'The drift alarm is over; learning goes on.' });
    return { ...record, paused: false };
  }
  return record;
}

function analyse(
  target: DriftTarget,
  record: DriftRecord,
  mechanism: PersonaDriftMechanism,
  options: DriftHookOptions & { readonly baseline: Traits },
): DriftRecord {
  const traits = currentTraits(target.state.traits, options.baseline);
  const proposals = record.paused ? [] : mechanism.analyzePersonaDrift(record.traces, traits, { trend: record.trend });
  target.trace({
    type: 'DEBUG',
    message: record.paused ? 'Drift analysis skipped: the alarm holds.' : `Drift analysis: ${proposals.length} proposal(s).`,
    details: toJson(proposals),
  });
  for (const proposal of options.mode === 'apply' ? proposals : []) {
    const { delta } = changeTrait(target, proposal.trait, proposal.delta, writeCause(proposal.reasoning, proposal.evidence), options);
    if (delta !== 0)
      target.trace({
        type: 'STATE_CHANGE',
        message: `Drift moved ${proposal.trait}.`,
        details: { trait: proposal.trait, delta, reasoning: proposal.reasoning },
      });
  }
  return { ...record, traces: [], inCycle: 0, cycles: 0, trend: nextTrend(record.trend, proposals), proposals, analysedAtMs: target.atMs };
}

function nextTrend(trend: DriftTrend, proposals: readonly DriftProposal[]): DriftTrend {
  const next: { -readonly [K in keyof DriftTrend]: DriftTrend[K] } = { ...trend };
  for (const { trait, delta } of proposals) {
    const direction = delta > 0 ? 1 : -1;
    next[trait] = { direction, agreeing: trend[trait]?.direction === direction ? Math.min(10, (trend[trait]?.agreeing ?? 0) + 1) : 1 };
  }
  return next;
}

/** The score of this very turn; a mood left by an earlier one is no new evidence. */
function affectOf({ state, atMs }: Pick<Turn, 'state' | 'atMs'>): Pick<ScoredTurn, 'valence' | 'arousal'> | undefined {
  const { score, valence, arousal, atMs: readAtMs } = jsonObject(state.values[KEYS.affect]);
  const own = score === undefined ? valence : score;
  if (typeof own !== 'number' || typeof arousal !== 'number' || readAtMs !== atMs) return undefined;
  return { valence: own, arousal };
}
