import { type AgentState, type GMIEvent, type Json, KEYS, type Stored, type TraceEntry, textOf } from '@x/core';
import { clip, fence, newestThatFit } from './fence.js';
import { object, readAffect } from './read-affect.js';
import { redactSecrets } from './redact-secrets.js';

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
  /** Most characters of the conversation together; default 4,000. */
  readonly conversationChars?: number | undefined;
  /** Most characters of `{{evidence}}`; default 4,000, as in the original. */
  readonly evidenceChars?: number | undefined;
}

const RECENT_MESSAGES = 5;
const REFLECTION_MESSAGES = 10;
const REFLECTION_TRACE = 20;
const RECENT_TRACE = 10;
const TRACE_CHARS = 300;

type Reader = (evidence: Evidence, limits: EvidenceLimits, id: string) => string;

const SENTIMENT_WHEN_UNREAD: { readonly [id: string]: string } = {
  gmi_frustration_recovery: 'negative',
  gmi_satisfaction_reinforcement: 'positive',
};
const SCORE_WHEN_UNREAD: { readonly [id: string]: string } = {
  gmi_frustration_recovery: '-0.5',
  gmi_satisfaction_reinforcement: '0.5',
};

// The defaults of unread values are the seed's. A value that was read is shown as it is, zero included.
const READERS: { readonly [name: string]: Reader } = {
  current_mood: ({ state }) => state.mood,
  user_skill: ({ state }) => state.skill,
  task_complexity: ({ state }) => state.complexity,
  current_sentiment: ({ state }, _limits, id) => readAffect(state).polarity ?? SENTIMENT_WHEN_UNREAD[id] ?? 'neutral',
  sentiment_score: ({ state }, _limits, id) => {
    const { score } = readAffect(state);
    return score === null ? 'unknown' : score === undefined ? (SCORE_WHEN_UNREAD[id] ?? 'unknown') : String(round(score));
  },
  consecutive_frustration: run('frustrationRun', 1),
  consecutive_confusion: run('confusionRun', 1),
  consecutive_satisfaction: run('satisfactionRun', 1),
  consecutive_neutral: run('neutralRun', 4),
  recent_conversation: ({ history }, limits) => {
    const entries = conversation(history, limits.messages ?? RECENT_MESSAGES, limits);
    return fence('recent_conversation', newestThatFit(entries, limits.conversationChars ?? 4000));
  },
  recent_errors: ({ traceLog }) =>
    fence('recent_errors', traceLines(traceLog.slice(-RECENT_TRACE).filter((entry) => entry.type === 'ERROR'))),
  confusion_keywords: ({ events }) => {
    const words = events.findLast((event) => event.eventType === 'user_confused')?.metadata['triggerKeywords'];
    return fence('confusion_keywords', Array.isArray(words) ? words.filter((word) => typeof word === 'string').slice(0, 10) : []);
  },
  recent_reasoning: ({ traceLog }) => fence('recent_reasoning', newestThatFit(traceLines(traceLog.slice(-RECENT_TRACE)), 4000)),
  evidence: ({ state, history, traceLog }, limits) => {
    // State comes first and always fits; the two lists share what is left, and lose whole entries, the oldest first.
    const head = {
      currentMood: state.mood,
      userContext: { skillLevel: state.skill, ...small(state.values[KEYS.user]) },
      taskContext: {
        complexity: state.complexity,
        ...(state.domain !== undefined && { domain: state.domain }),
        ...small(state.values[KEYS.task]),
      },
    };
    const room = Math.max(0, (limits.evidenceChars ?? 4000) - JSON.stringify(head).length - 40);
    const said = newestThatFit(conversation(history, REFLECTION_MESSAGES, limits), Math.ceil(room * 0.7));
    const did = newestThatFit(traceLines(traceLog.slice(-REFLECTION_TRACE)), room - JSON.stringify(said).length);
    return fence('evidence', { ...head, recentHistory: said, recentReasoning: did });
  },
};

/** Every name that a template may use. */
export const VARIABLE_NAMES: readonly string[] = Object.keys(READERS);

/** The value of one placeholder; `undefined` for a name that is not among {@link VARIABLE_NAMES}. */
export function variableOf(name: string, id: string, evidence: Evidence, limits: EvidenceLimits = {}): string | undefined {
  return Object.hasOwn(READERS, name) ? READERS[name]?.(evidence, limits, id) : undefined;
}

function run(field: 'frustrationRun' | 'confusionRun' | 'satisfactionRun' | 'neutralRun', unread: number): Reader {
  return ({ state }) => {
    const affect = readAffect(state);
    return String(affect.known ? affect[field] : unread);
  };
}

/** Genuine talk only: what user and assistant said, no summaries, beats, notes or tool results. */
function conversation(history: readonly Stored[], count: number, { messageChars = 1200 }: EvidenceLimits) {
  return history
    .filter((message) => (message.origin === 'user' || message.origin === 'assistant') && textOf(message).trim() !== '')
    .slice(-count)
    .map((message) => ({ id: message.id, role: message.origin, text: clip(redactSecrets(textOf(message)), messageChars) }));
}

/** Type and message of trace entries; details stay out, for they may hold results of tools. */
function traceLines(entries: readonly TraceEntry[]) {
  return entries.map((entry) => ({ type: entry.type, message: clip(redactSecrets(entry.message), TRACE_CHARS) }));
}

/** The short scalar fields of a context object; long texts and nested values stay out. */
function small(value: Json | undefined): { readonly [key: string]: Json } {
  const fields = Object.entries(object(value)).filter(
    ([, item]) => ['boolean', 'number'].includes(typeof item) || (typeof item === 'string' && item.length <= 100),
  );
  return Object.fromEntries(fields.slice(0, 20));
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
