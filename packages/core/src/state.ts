import { type Json, toStoredJson } from './json.js';
import { freezeDeep } from './values.js';

/** What an agent knows of its lane: the part of the prompt's input that changes from turn to turn. */
export interface AgentState {
  /** A `GMIMood`. */
  readonly mood: string;
  /** One of `SKILL_LEVELS`. */
  readonly skill: string;
  /** One of `TASK_COMPLEXITIES`. */
  readonly complexity: string;
  /** BCP 47 tag of what the user writes in, when known. */
  readonly language?: string | undefined;
  /** What the talk is about, such as `recursion`; `taskHint` is matched against it. */
  readonly domain?: string | undefined;
  /** HEXACO scores, 0 to 1. */
  readonly traits: { readonly [trait: string]: number };
  /** Facts worth keeping; `imprintEntries` gives them in the order they were learned. */
  readonly imprints: { readonly [key: string]: Json };
  /** Counters, flags, cooldowns and the host's own keys. */
  readonly values: { readonly [key: string]: Json };
}

/** The state of a lane before anything was said. */
export const INITIAL_STATE: AgentState = freezeDeep({
  mood: 'neutral',
  skill: 'novice',
  complexity: 'moderate',
  traits: {},
  imprints: {},
  values: {},
});

/** The state that a lane begins with: the default one with what a host wants otherwise. A copy, frozen to the bottom. */
export function startState(initial: Partial<AgentState> = {}): AgentState {
  return freezeDeep({ ...INITIAL_STATE, ...(toStoredJson(initial) as Partial<AgentState>) });
}

/** The seed's view of what is known of a user; kept under `currentUserContext`. */
export interface UserContext {
  readonly userId?: string | undefined;
  readonly skillLevel?: string | undefined;
  readonly language?: string | undefined;
  readonly currentSentiment?: string | undefined;
  readonly preferences?: { readonly [key: string]: Json } | undefined;
  readonly [key: string]: Json | undefined;
}

/** The seed's view of the task at hand; kept under `currentTaskContext`. */
export interface TaskContext {
  readonly taskId?: string | undefined;
  readonly domain?: string | undefined;
  readonly complexity?: string | undefined;
  readonly goal?: string | undefined;
  readonly status?: string | undefined;
  readonly [key: string]: Json | undefined;
}
