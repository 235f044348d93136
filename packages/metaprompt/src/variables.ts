import { type AgentState, type GMIEvent, type Json, jsonObject, KEYS, redactSecrets, type Stored, type TraceEntry, textOf } from '@x/core';
import { clip, fence, fenceChars, newestThatFit, written } from './fence.js';
import { readAffect } from './read-affect.js';

/** What a metaprompt may look at. */
export interface Evidence {
  readonly state: AgentState;
  readonly history: readonly Stored[];
  readonly traceLog: readonly TraceEntry[];
  /** The events that woke it. */
  readonly events: readonly GMIEvent[];
}

export interface EvidenceLimits {
  /** Newest messages of the conversation; default 5. */
  readonly messages?: number | undefined;
  /** Most characters of one message; default 1,200. */
  readonly messageChars?: number | undefined;
  /** Most characters of the conversation together, as they are written in the prompt; default 4,000. */
  readonly conversationChars?: number | undefined;
  /** Most characters of `{{evidence}}`, as they are written in the prompt; default 4,000, as in the original. */
  readonly evidenceChars?: number | undefined;
}

const RECENT_MESSAGES = 5;
const CONVERSATION_CHARS = 4000;
const EVIDENCE_CHARS = 4000;
const REFLECTION_MESSAGES = 10;
const REFLECTION_TRACE = 20;
const RECENT_TRACE = 10;
const TRACE_CHARS = 300;
const TRACES_CHARS = 4000;
const KEYWORDS_CHARS = 1000;
/** Names, figures and run lengths. */
const WORD_CHARS = 40;
/** What `{{evidence}}` says of one context, and of all that always stands in it. */
const CONTEXT_CHARS = 1200;
const HEAD_CHARS = 2 * CONTEXT_CHARS + 1000;

/** A placeholder: how it is read, and the most characters that it puts into a prompt. */
interface Variable {
  readonly read: (evidence: Evidence, limits: EvidenceLimits, id: string) => string;
  readonly maxChars: (limits: EvidenceLimits) => number;
}

const SENTIMENT_WHEN_UNREAD: { readonly [id: string]: string } = {
  gmi_frustration_recovery: 'negative',
  gmi_satisfaction_reinforcement: 'positive',
};
const SCORE_WHEN_UNREAD: { readonly [id: string]: string } = {
  gmi_frustration_recovery: '-0.5',
  gmi_satisfaction_reinforcement: '0.5',
};

// The defaults of unread values are the seed's. A value that was read is shown as it is, zero included.
const VARIABLES: { readonly [name: string]: Variable } = {
  current_mood: word(({ state }) => state.mood),
  user_skill: word(({ state }) => state.skill),
  task_complexity: word(({ state }) => state.complexity),
  current_sentiment: word(({ state }, _limits, id) => readAffect(state).polarity ?? SENTIMENT_WHEN_UNREAD[id] ?? 'neutral'),
  sentiment_score: word(({ state }, _limits, id) => {
    const { score } = readAffect(state);
    return score === null ? 'unknown' : score === undefined ? (SCORE_WHEN_UNREAD[id] ?? 'unknown') : String(round(score));
  }),
  consecutive_frustration: run('frustrationRun', 1),
  consecutive_confusion: run('confusionRun', 1),
  consecutive_satisfaction: run('satisfactionRun', 1),
  consecutive_neutral: run('neutralRun', 4),
  recent_conversation: fenced(
    'recent_conversation',
    ({ history }, limits) =>
      newestThatFit(conversation(history, limits.messages ?? RECENT_MESSAGES, limits), limits.conversationChars ?? CONVERSATION_CHARS),
    ({ conversationChars = CONVERSATION_CHARS }) => conversationChars,
  ),
  recent_errors: fenced(
    'recent_errors',
    ({ traceLog }) => {
      const errors = traceLog.slice(-RECENT_TRACE).filter((entry) => entry.type === 'ERROR');
      return newestThatFit(traceLines(errors), TRACES_CHARS);
    },
    () => TRACES_CHARS,
  ),
  confusion_keywords: fenced(
    'confusion_keywords',
    ({ events }) => {
      const words = events.findLast((event) => event.eventType === 'user_confused')?.metadata['triggerKeywords'];
      const known = Array.isArray(words) ? words.filter((one): one is string => typeof one === 'string') : [];
      return newestThatFit(
        known.slice(0, 10).map((one) => clip(one, WORD_CHARS)),
        KEYWORDS_CHARS,
      );
    },
    () => KEYWORDS_CHARS,
  ),
  recent_reasoning: fenced(
    'recent_reasoning',
    ({ traceLog }) => newestThatFit(traceLines(traceLog.slice(-RECENT_TRACE)), TRACES_CHARS),
    () => TRACES_CHARS,
  ),
  evidence: fenced(
    'evidence',
    ({ state, history, traceLog }, limits) => {
      // State comes first and always fits; the two lists share what is left, and lose whole entries, the oldest first.
      const { domain } = state;
      const head = {
        currentMood: label(state.mood),
        userContext: { skillLevel: label(state.skill), ...small(jsonObject(state.values[KEYS.user])) },
        taskContext: {
          complexity: label(state.complexity),
          ...small({ ...(domain !== undefined && { domain }), ...jsonObject(state.values[KEYS.task]) }),
        },
      };
      const room = Math.max(0, (limits.evidenceChars ?? EVIDENCE_CHARS) - written(head).length - 40);
      const said = newestThatFit(conversation(history, REFLECTION_MESSAGES, limits), Math.ceil(room * 0.7));
      const did = newestThatFit(traceLines(traceLog.slice(-REFLECTION_TRACE)), room - written(said).length);
      return { ...head, recentHistory: said, recentReasoning: did };
    },
    ({ evidenceChars = EVIDENCE_CHARS }) => Math.max(evidenceChars, HEAD_CHARS),
  ),
};

/** Every name that a template may use. */
export const VARIABLE_NAMES: readonly string[] = Object.keys(VARIABLES);

/** The value of one placeholder; `undefined` for a name that is not among {@link VARIABLE_NAMES}. */
export function variableOf(name: string, id: string, evidence: Evidence, limits: EvidenceLimits = {}): string | undefined {
  return Object.hasOwn(VARIABLES, name) ? VARIABLES[name]?.read(evidence, limits, id) : undefined;
}

/** The most characters that a placeholder can put into a prompt; 0 for a name that nothing fills. */
export function mostCharsOf(name: string, limits: EvidenceLimits = {}): number {
  return Object.hasOwn(VARIABLES, name) ? (VARIABLES[name]?.maxChars(limits) ?? 0) : 0;
}

function word(read: Variable['read']): Variable {
  return { read: (...seen) => label(read(...seen)), maxChars: () => WORD_CHARS };
}

function run(field: 'frustrationRun' | 'confusionRun' | 'satisfactionRun' | 'neutralRun', unread: number): Variable {
  return word(({ state }) => {
    const affect = readAffect(state);
    return String(affect.known ? affect[field] : unread);
  });
}

function fenced(
  name: string,
  read: (evidence: Evidence, limits: EvidenceLimits) => Json,
  maxChars: (limits: EvidenceLimits) => number,
): Variable {
  return {
    read: (evidence, limits) => fence(name, read(evidence, limits)),
    maxChars: (limits) => Math.max(2, maxChars(limits)) + fenceChars(name),
  };
}

/** Genuine talk only: what user and assistant said, no summaries, beats, notes or tool results. */
function conversation(history: readonly Stored[], count: number, { messageChars = 1200 }: EvidenceLimits) {
  return history
    .filter((message) => (message.origin === 'user' || message.origin === 'assistant') && textOf(message).trim() !== '')
    .slice(-count || Number.POSITIVE_INFINITY)
    .map((message) => ({ id: message.id, role: message.origin, text: clip(redactSecrets(textOf(message)).text, messageChars) }));
}

/** Type and message of trace entries; details stay out, for they may hold results of tools. */
function traceLines(entries: readonly TraceEntry[]) {
  return entries.map((entry) => ({ type: entry.type, message: clip(redactSecrets(entry.message).text, TRACE_CHARS) }));
}

/** The short scalar fields of a context object, as far as they fit; long texts and nested values stay out. */
function small(fields: { readonly [key: string]: Json }): { readonly [key: string]: Json } {
  let left = CONTEXT_CHARS;
  const kept = Object.entries(fields).filter(([key, item]) => {
    if (typeof item !== 'boolean' && typeof item !== 'number' && (typeof item !== 'string' || item.length > 200)) return false;
    const size = written({ [key]: item }).length;
    if (size > left) return false;
    left -= size;
    return true;
  });
  return Object.fromEntries(kept);
}

function label(text: string): string {
  return text.slice(0, WORD_CHARS);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
