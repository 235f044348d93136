import { type AgentState, type Change, type Json, jsonObject, KEYS, ownValue, type TraitName } from '@x/core';
import { DECAY_WHY } from './cause.js';
import { decayDelta, HALF_LIFE_DAYS } from './decay-trait.js';
import { currentTraits, HEXACO_TRAITS, type Traits, traitOf } from './traits.js';

/** How far a trait may move in one session, up and down together, unless the host says otherwise; the seed's figure. */
export const MAX_DELTA_PER_SESSION = 0.15;

/** When the changes of a lane's traits were last let fade; milliseconds since 1970. */
export const TRAIT_DECAY_KEY = 'gmi_trait_decayed_at';

/** What is needed of a turn to change a trait. */
export type TraitTarget = Pick<Change, 'apply'> & { readonly state: AgentState; readonly atMs: number };

export interface BudgetOptions {
  /** The persona's own scores. */
  readonly baseline: Traits;
  /** Sum of sizes of all changes of one trait in a session; default 0.15. */
  readonly maxDeltaPerSession?: number | undefined;
  /** Milliseconds after which a budget starts again; default never. For lanes that outlive a session, such as a directory. */
  readonly budgetWindowMs?: number | undefined;
  /** Days until half of a change is left; default 14. */
  readonly halfLifeDays?: number | undefined;
}

/** A change as it will be made. */
export interface TraitChange {
  readonly trait: TraitName;
  readonly previousValue: number;
  readonly newValue: number;
  /** As it takes effect, after budget and bounds. */
  readonly delta: number;
  /** True when less is done than was asked for. */
  readonly clamped: boolean;
  /** What the session has used of the trait's budget, this change included. */
  readonly sessionTotal: number;
  readonly remainingBudget: number;
}

/**
 * What a wish to move a trait comes to: no more than the rest of the session's budget, and no value outside 0 to 1.
 *
 * @param delta - Finite.
 */
export function planTraitChange(
  { state, atMs }: Pick<TraitTarget, 'state' | 'atMs'>,
  trait: TraitName,
  delta: number,
  { baseline, maxDeltaPerSession = MAX_DELTA_PER_SESSION, budgetWindowMs }: BudgetOptions,
): TraitChange {
  const used = Math.min(maxDeltaPerSession, usedBudget(state.values, atMs, budgetWindowMs)[trait] ?? 0);
  const remaining = maxDeltaPerSession - used;
  const allowed = Math.sign(delta) * Math.min(Math.abs(delta), remaining);
  const previousValue = traitOf(state.traits, trait, baseline);
  const newValue = Math.min(1, Math.max(0, previousValue + allowed));
  const effective = newValue - previousValue;
  const sessionTotal = Math.min(maxDeltaPerSession, used + Math.abs(effective));
  return {
    trait,
    previousValue,
    newValue,
    delta: effective,
    clamped: Math.abs(effective) < Math.abs(delta) - 1e-12,
    sessionTotal,
    remainingBudget: maxDeltaPerSession - sessionTotal,
  };
}

/**
 * Moves a trait: earlier changes fade up to now, the trait moves as far as budget and bounds allow, the budget is
 * written down.
 *
 * @returns What was done; a change of 0 leaves no entry in the log.
 */
export function changeTrait(target: TraitTarget, trait: TraitName, delta: number, why: string, options: BudgetOptions): TraitChange {
  if (planTraitChange(target, trait, delta, options).delta !== 0) decayTraits(target, options);
  const change = planTraitChange(target, trait, delta, options);
  if (change.delta === 0) return change;
  moveTo(target, trait, change.newValue, why);
  const { values } = target.state;
  const used = { ...usedBudget(values, target.atMs, options.budgetWindowMs), [trait]: change.sessionTotal };
  const sinceMs = windowStart(values, target.atMs, options.budgetWindowMs);
  target.apply({ put: KEYS.traitBudget, value: { used, sinceMs } }, `budget of ${trait}`);
  return change;
}

/**
 * Lets every change of the lane's traits fade toward the persona's scores by the wall time since this was last done. A clock
 * that was set back and put right again makes no time pass twice.
 *
 * @param stepMs - Does nothing while less time has passed; default 0.
 */
export function decayTraits(
  target: TraitTarget,
  { baseline, halfLifeDays = HALF_LIFE_DAYS }: Pick<BudgetOptions, 'baseline' | 'halfLifeDays'>,
  stepMs = 0,
): void {
  const stamp = target.state.values[TRAIT_DECAY_KEY];
  const known = typeof stamp === 'number' && Number.isFinite(stamp);
  const latest = target.state.values[KEYS.traitsDecayedUntilMs];
  const isBehind = known && typeof latest === 'number' && latest > stamp;
  const sinceMs = isBehind && target.atMs >= latest ? latest : stamp;
  const elapsedMs = known ? target.atMs - (sinceMs as number) : 0;
  if (known && elapsedMs >= 0 && elapsedMs < stepMs) return;
  const current = currentTraits(target.state.traits, baseline);
  for (const trait of HEXACO_TRAITS) {
    const moved = current[trait] - baseline[trait];
    if (moved === 0 || elapsedMs <= 0) continue;
    const left = decayDelta(moved, elapsedMs, halfLifeDays);
    moveTo(target, trait, baseline[trait] + (Math.abs(left) < 1e-9 ? 0 : left), DECAY_WHY);
  }
  if (known && elapsedMs < 0 && !isBehind) target.apply({ put: KEYS.traitsDecayedUntilMs, value: stamp }, DECAY_WHY);
  else if (isBehind && target.atMs >= latest) target.apply({ unset: KEYS.traitsDecayedUntilMs }, DECAY_WHY);
  if (!known || elapsedMs !== 0) target.apply({ put: TRAIT_DECAY_KEY, value: target.atMs }, DECAY_WHY);
}

/** Puts a trait on a value; a lane that has no number for it yet counts from 0.5, as the operation does. */
export function moveTo(target: Pick<TraitTarget, 'apply' | 'state'>, trait: TraitName, value: number, why: string): void {
  const own = ownValue(target.state.traits, trait) ?? 0.5;
  if (value !== own) target.apply({ trait, delta: value - own }, why);
}

/** What each trait has used of its budget in the running window. A damaged figure counts as all of it. */
export function usedBudget(
  values: { readonly [key: string]: Json },
  atMs: number,
  windowMs?: number,
): { readonly [trait: string]: number } {
  const record = jsonObject(values[KEYS.traitBudget]);
  if (windowStart(values, atMs, windowMs) !== record['sinceMs']) return {};
  const used = Object.entries(jsonObject(record['used']));
  return Object.fromEntries(used.map(([trait, value]) => [trait, typeof value === 'number' && value >= 0 ? value : Number.MAX_VALUE]));
}

function windowStart(values: { readonly [key: string]: Json }, atMs: number, windowMs = Number.POSITIVE_INFINITY): number {
  const since = jsonObject(values[KEYS.traitBudget])['sinceMs'];
  return typeof since === 'number' && atMs - since < windowMs ? since : atMs;
}
