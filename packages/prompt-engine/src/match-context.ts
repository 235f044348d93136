import { parseSkillLevel, parseTaskComplexity, SKILL_LEVELS, TASK_COMPLEXITIES } from '@x/core';
import type { PromptExecutionContext, PromptIssue } from './prompt-context.js';

/** A host's own condition. Pure and quick: it runs for each element that names it, on every turn. */
export type Predicate = (context: PromptExecutionContext) => boolean;
export type Predicates = { readonly [name: string]: Predicate };

/** A {@link PromptExecutionContext}, read once for all elements of a turn: words in lower case, `''` or -1 for unknown. */
export interface MatchContext {
  readonly mood: string;
  readonly skill: string;
  readonly skillRank: number;
  readonly complexity: string;
  readonly complexityRank: number;
  readonly taskHint: string;
  readonly language: string;
  readonly signals: readonly string[];
  readonly sentimentScore: number | undefined;
  readonly turn: number | undefined;
  /** The newest `depth` texts, as they are and in lower case, both in Unicode form NFC. */
  scanned(depth: number): ScannedTexts;
  readonly source: PromptExecutionContext;
  trait(name: string): number | undefined;
  /** False, and an issue, when the predicate throws or answers with anything but a boolean. */
  predicate(name: string): boolean;
}

export interface ScannedTexts {
  readonly plain: readonly string[];
  readonly lower: readonly string[];
}

/** The level of a trait that nobody set. */
const MIDDLE = 0.5;

export function createMatchContext(
  source: PromptExecutionContext,
  predicates: Predicates = {},
  report: (issue: PromptIssue) => void = () => {},
): MatchContext {
  const skill = parseSkillLevel(source.userSkillLevel);
  const complexity = parseTaskComplexity(source.taskComplexity);
  const scans = new Map<number, ScannedTexts>();
  const traits = source.traits ?? source.activePersona?.personalityTraits;
  return {
    mood: lower(source.currentMood),
    skill: skill ?? lower(source.userSkillLevel),
    skillRank: skill === undefined ? -1 : SKILL_LEVELS.indexOf(skill),
    complexity: complexity ?? lower(source.taskComplexity),
    complexityRank: complexity === undefined ? -1 : TASK_COMPLEXITIES.indexOf(complexity),
    taskHint: lower(source.taskHint),
    language: lower(source.language),
    signals: (source.conversationSignals ?? []).map(lower),
    sentimentScore: typeof source.sentimentScore === 'number' && Number.isFinite(source.sentimentScore) ? source.sentimentScore : undefined,
    turn: source.turn,
    scanned(depth) {
      const known = scans.get(depth);
      if (known !== undefined) return known;
      const plain = (source.recentTexts ?? []).slice(-depth).map((text) => text.normalize('NFC'));
      const scan = { plain, lower: plain.map((text) => text.toLowerCase()) };
      scans.set(depth, scan);
      return scan;
    },
    source,
    trait: (name) => (traits === undefined ? undefined : Object.hasOwn(traits, name) ? traits[name] : MIDDLE),
    predicate(name) {
      let answer: unknown;
      try {
        answer = Object.hasOwn(predicates, name) ? predicates[name]?.(source) : undefined;
      } catch {
        answer = undefined;
      }
      if (typeof answer === 'boolean') return answer;
      report({
        code: 'predicate_failed',
        severity: 'warning',
        message: `The predicate "${name}" threw or did not answer with a boolean; it counts as not holding.`,
        details: { predicate: name },
      });
      return false;
    },
  };
}

function lower(word: string | undefined): string {
  return word === undefined ? '' : word.trim().toLowerCase();
}
