import type { Prompt } from './read-prompt.js';
import { type Detail, detailsIn, SUPPORT_TOPICS, type SupportTopic } from './support-topics.js';

/** What a support conversation has come to with its newest message. */
export interface SupportMatter {
  readonly topic: SupportTopic | undefined;
  /** The topic of earlier messages. */
  readonly before: SupportTopic | undefined;
  /** What this message gave. */
  readonly given: ReadonlySet<Detail>;
  /** What the topic still needs. */
  readonly missing: readonly Detail[];
}

/** True for a persona that serves customers, and teaches nobody. */
export function isSupport({ system }: Pick<Prompt, 'system'>): boolean {
  return (
    /\b(?:support|customer|help ?desk|billing|service agent|orders?)\b/i.test(system) && !/\b(?:tutor|teach|programming)\b/i.test(system)
  );
}

export function supportMatter({ user, history }: Pick<Prompt, 'user' | 'history'>): SupportMatter {
  const mine = history.filter((line) => line.role === 'user').map((line) => line.text);
  const topicOf = (text: string): SupportTopic | undefined => SUPPORT_TOPICS.find((topic) => topic.cues.test(text.toLowerCase()));
  const given = detailsIn(user);
  // Answers to our own questions hold words of other topics; a topic begins where something is wanted.
  const wishes = mine.filter((text) => detailsIn(text).size === 0);
  const before =
    [...mine.slice(0, 1), ...wishes].map(topicOf).findLast((topic) => topic !== undefined) ??
    mine.map(topicOf).find((topic) => topic !== undefined);
  // A message that answers our question keeps its topic, whatever other words are in it.
  const topic = (given.size > 0 ? before : undefined) ?? topicOf(user) ?? before;
  const known = new Set([...mine.flatMap((text) => [...detailsIn(text)]), ...given]);
  return { topic, before, given, missing: (topic?.needs ?? []).filter((detail) => !known.has(detail)) };
}
