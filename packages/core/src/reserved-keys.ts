/** The names under which a lane keeps its own state. Hosts may read them; imprints never reach them. */
export const KEYS = {
  mood: 'currentGmiMood',
  user: 'currentUserContext',
  task: 'currentTaskContext',
  sentimentHistory: 'gmi_sentiment_history',
  /** Raised-at turns of events, for edges and cooldowns. */
  eventCooldowns: 'gmi_event_cooldowns',
  /** Valence and arousal with the time they were read. */
  affect: 'gmi_affect',
  /** Genuine user turns of the lane so far. */
  turnCount: 'gmi_turn_count',
  /** Milliseconds since 1970 at the last genuine user turn. */
  lastTurnAtMs: 'gmi_last_turn_at_ms',
  /** Which lorebook elements stick or rest, by element id. */
  elementTiming: 'gmi_element_timing',
  /** Calls and tokens that metaprompts have used: per session and per day. */
  metapromptUsage: 'gmi_metaprompt_usage',
  /** Turn and time of the last change of mood by a metaprompt, for decay. */
  moodSince: 'gmi_mood_since',
  /** What trait changes this session has used up. */
  traitBudget: 'gmi_trait_budget',
  /** Scored turns that wait for the next drift analysis. */
  drift: 'gmi_drift',
  /** When remembered traits of the persona's user were last faded. */
  traitsDecayedAtMs: 'gmi_trait_decayed_at',
  /** The latest time up to which they faded, while the clock stands before it. */
  traitsDecayedUntilMs: 'gmi_trait_decayed_until',
  /** What the signals of the next turn are computed from, by conversation. */
  lastTurn: 'gmi_last_turn',
  /** User turns that metaprompts have counted. */
  metapromptTurns: 'metaprompt_turns',
  /** The order in which imprints were learned; there only while an imprint's key is a whole number. */
  imprintOrder: 'gmi_imprint_order',
} as const;

/** `metaprompt_turn_counter_<id>`: user turns since the metaprompt last fired. */
export const turnCounterKey = (metapromptId: string): string => `metaprompt_turn_counter_${metapromptId}`;
/** `manual_trigger_<id>`: truthy when a host wants the metaprompt to run after the next turn. */
export const manualTriggerKey = (metapromptId: string): string => `manual_trigger_${metapromptId}`;
/** `metaprompt_cooldown_<id>`: the turn count at which the metaprompt last ran. */
export const cooldownKey = (metapromptId: string): string => `metaprompt_cooldown_${metapromptId}`;
/** `metaprompt_calls_<id>`: how often the metaprompt has run in this lane. */
export const metapromptCallsKey = (metapromptId: string): string => `metaprompt_calls_${metapromptId}`;
/** `gmi_answered_<conversation>`: the answer that a parked turn goes on with, claimed by whoever resumes it. */
export const answeredKey = (conversation: string): string => `gmi_answered_${conversation}`;
/** `imprint:<key>`: where working memory shows an imprint. */
export const imprintKey = (key: string): string => `${IMPRINT_PREFIX}${key}`;

export const IMPRINT_PREFIX = 'imprint:';

const NAMES: ReadonlySet<string> = new Set<string>(Object.values(KEYS));
const PREFIXES = ['gmi_', 'metaprompt_', 'manual_trigger_', IMPRINT_PREFIX];

/** True for a name that the machine keeps for itself, so that no imprint may take it. */
export function isReservedKey(key: string): boolean {
  return NAMES.has(key) || PREFIXES.some((prefix) => key.startsWith(prefix));
}
