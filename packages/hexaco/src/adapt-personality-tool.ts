import {
  InvalidArgumentError,
  type ITool,
  isForbiddenKey,
  isStrangersTurn,
  type Origin,
  pending,
  type ToolContext,
  type ToolResult,
  type TraitName,
} from '@x/core';
import { writeCause } from './cause.js';
import { checkFigures } from './check-options.js';
import { type BudgetOptions, changeTrait, planTraitChange, type TraitChange, type TraitTarget } from './trait-budget.js';
import { createHostTarget, type TraitHost } from './trait-host.js';
import { HEXACO_TRAITS, OPERATOR_ONLY, readTraits, traitNamed } from './traits.js';

export interface AdaptPersonalityArguments {
  readonly trait: TraitName;
  /** Signed: above 0 more of the trait, below 0 less; between -1 and 1. */
  readonly delta: number;
  readonly reasoning: string;
}

export interface AdaptPersonalityOptions extends Omit<BudgetOptions, 'baseline'> {
  /** The persona's `personalityTraits`; a trait that is not named is 0.5. */
  readonly personalityTraits?: { readonly [trait: string]: number } | undefined;
  /**
   * True: every change waits for a human's yes. A function decides for each change whether it has to; when it throws, it
   * has to. The turn parks until the answer comes, also across a restart.
   */
  readonly approve?: boolean | ((change: TraitChange & { readonly reasoning: string }) => boolean) | undefined;
  /**
   * Origins of the turns that may change a trait; default `['user']`. A beat learns nothing from anybody, so its changes
   * are refused unless an operator grants them by adding `heartbeat`.
   */
  readonly origins?: readonly Origin[] | undefined;
  /** For a loop without turns: where the traits are. With a turn in the tool's context this is not used. */
  readonly host?: TraitHost | undefined;
}

/** Why a change was refused. */
export type AdaptRefusal =
  | 'trait_unknown'
  | 'operator_only'
  | 'delta_invalid'
  | 'reasoning_missing'
  | 'not_a_user_turn'
  | 'not_owner'
  | 'not_approved'
  | 'no_traits_here';

/**
 * Lets the model change its own manner, within a budget for each trait and session. It moves the traits of the lane
 * whose turn calls it, never those of the persona. Honesty and emotionality are the operator's.
 */
export class AdaptPersonalityTool implements ITool<AdaptPersonalityArguments> {
  readonly name = 'adapt_personality';
  readonly description =
    'Shift one of your own personality traits a little for this user, when several turns give reason to. ' +
    'Each trait has a small budget for the session; what exceeds it is clamped. honesty and emotionality cannot be changed.';
  readonly inputSchema = {
    type: 'object',
    properties: {
      trait: { type: 'string', enum: ['openness', 'conscientiousness', 'extraversion', 'agreeableness', 'honesty', 'emotionality'] },
      delta: { type: 'number', description: 'Signed step, such as 0.05 or -0.05.' },
      reasoning: { type: 'string', description: 'What in the conversation calls for it. Recorded.' },
    },
    required: ['trait', 'delta', 'reasoning'],
  } as const;
  readonly repeat = 'once';
  readonly #options: AdaptPersonalityOptions & BudgetOptions;
  readonly #hostTarget: (() => TraitTarget) | undefined;

  /** @throws {@link InvalidArgumentError} an option outside its range. */
  constructor(options: AdaptPersonalityOptions = {}) {
    checkFigures(options);
    const { origins = [], approve = false } = options;
    if (!Array.isArray(origins) || !origins.every((origin) => typeof origin === 'string'))
      throw new InvalidArgumentError("origins must be a list of origins, such as ['user']");
    if (typeof approve !== 'boolean' && typeof approve !== 'function')
      throw new InvalidArgumentError('approve must be true, false or a function');
    this.#options = { ...options, baseline: readTraits(options.personalityTraits).traits };
    this.#hostTarget = options.host && createHostTarget(options.host);
  }

  /** @returns JSON: the change, or `{ error, message }` marked as an error. */
  execute(args: AdaptPersonalityArguments, context: ToolContext): ToolResult {
    const target: TraitTarget | undefined = context.turn ?? this.#hostTarget?.();
    if (!target) return refused('no_traits_here', 'The tool was called outside a turn and without a host.');
    const read = readArguments(args);
    if ('error' in read) return refused(read.error, read.message);
    const { trait, delta, reasoning } = read;
    const { turn } = context;
    const { origins = ['user'] } = this.#options;
    if (turn && !origins.includes(turn.origin))
      return refused('not_a_user_turn', 'Only a turn of a user can give reason to change a trait.');
    if (turn && isStrangersTurn(turn)) return refused('not_owner', 'Only the owner of this agent can bring it to change its character.');
    const question = this.#question({ ...planTraitChange(target, trait, delta, this.#options), reasoning }, context);
    if (question) return question;
    const change = changeTrait(target, trait, delta, writeCause(reasoning, []), this.#options);
    return { output: JSON.stringify(rounded(change)), metadata: { ...change } };
  }

  #question(change: TraitChange & { readonly reasoning: string }, { answer, callId, turn }: ToolContext): ToolResult | undefined {
    const { approve = false } = this.#options;
    if (answer)
      return answer.ok ? undefined : refused('not_approved', `A human was asked and did not agree (${answer.reason ?? 'declined'}).`);
    if (change.delta === 0 || !(typeof approve === 'function' ? hasToAsk(approve, change) : approve)) return undefined;
    const { trait, previousValue, newValue, delta, clamped, reasoning } = rounded(change);
    return pending({
      id: `adapt_personality:${callId ?? turn?.id ?? trait}`,
      kind: 'approval',
      prompt: `May ${trait} go from ${previousValue} to ${newValue}? Reason given: ${reasoning.slice(0, 300)}`,
      data: { trait, delta, from: previousValue, to: newValue, clamped, reasoning },
    });
  }
}

/** A host's function that throws has not said that nobody need be asked. */
function hasToAsk<T>(approve: (change: T) => boolean, change: T): boolean {
  try {
    return approve(change);
  } catch {
    return true;
  }
}

/** Makes an {@link AdaptPersonalityTool}. */
export function createAdaptPersonalityTool(options: AdaptPersonalityOptions = {}): AdaptPersonalityTool {
  return new AdaptPersonalityTool(options);
}

type Read = AdaptPersonalityArguments | { readonly error: AdaptRefusal; readonly message: string };

// Arguments come from a model, so their types are a hope.
function readArguments(args: { readonly [K in keyof AdaptPersonalityArguments]?: unknown } | null | undefined): Read {
  const { trait: name, delta: step, reasoning } = args ?? {};
  const trait = typeof name === 'string' && !isForbiddenKey(name) ? traitNamed(name) : undefined;
  if (!trait)
    return { error: 'trait_unknown', message: `invalid trait "${String(name).slice(0, 40)}". Use one of ${HEXACO_TRAITS.join(', ')}.` };
  if (OPERATOR_ONLY.includes(trait)) return { error: 'operator_only', message: `${trait} is set by the persona alone.` };
  const delta = typeof step === 'string' && step.trim() !== '' ? Number(step) : step;
  if (typeof delta !== 'number' || !Number.isFinite(delta) || Math.abs(delta) > 1)
    return { error: 'delta_invalid', message: 'delta must be a number between -1 and 1.' };
  if (typeof reasoning !== 'string' || reasoning.trim() === '') return { error: 'reasoning_missing', message: 'Say in reasoning why.' };
  return { trait, delta, reasoning };
}

function refused(error: AdaptRefusal, message: string): ToolResult {
  return { output: JSON.stringify({ error, message }), isError: true, metadata: { error } };
}

function rounded<T extends TraitChange>(change: T): T {
  return Object.fromEntries(
    Object.entries(change).map(([name, value]) => [name, typeof value === 'number' ? Math.round(value * 1e6) / 1e6 : value]),
  ) as T;
}
