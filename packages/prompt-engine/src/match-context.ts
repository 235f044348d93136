import { ownValue, parseMood, parseSkillLevel, parseTaskComplexity, SKILL_LEVELS, TASK_COMPLEXITIES } from '@x/core';
import type { PromptExecutionContext, Report } from './prompt-context.js';

/** A host's own condition. Pure and quick: it runs for each element that names it, on every turn. */
export type Predicate = (context: PromptExecutionContext) => boolean;
export type Predicates = { readonly [name: string]: Predicate };

export interface ScannedTexts {
  /** For patterns: in Unicode form NFC, else as they are. */
  readonly plain: readonly string[];
  /** For words, folded. */
  readonly words: readonly string[];
  /** Folded and in lower case. */
  readonly lower: readonly string[];
}

/** What most texts have none of. */
const UNFOLDED = /[^ -~]| {2}/;

/** Hidden hyphens, blanks of no width, marks of direction, variation selectors. */
const HIDDEN = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|\ufe0e|\ufe0f/g;

/** Texts and keys in one writing: letters of full width, apostrophes and quotes of phones, line breaks between words and what nobody sees do not count. */
export function foldWords(text: string): string {
  if (!UNFOLDED.test(text)) return text;
  return text
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/\u2010/g, '-')
    .replace(HIDDEN, '')
    .replace(/\s+/g, ' ');
}

/** What is left of letters that have no partner of one letter in the other case: ß, the Turkish i and ı, the Greek sigma. */
const CASELESS = /i\u0307|[ıßς]/g;
const CASELESS_AS: { readonly [letter: string]: string } = { 'i\u0307': 'i', ı: 'i', ß: 'ss', ς: 'σ' };

/** Folded words in one letter case. */
export function foldCase(words: string): string {
  return words.toLowerCase().replace(CASELESS, (letter) => CASELESS_AS[letter]!);
}

const NO_SIGNALS: readonly string[] = [];
/** The level of a trait that nobody set. */
const MIDDLE = 0.5;

/** A {@link PromptExecutionContext}, read once for all elements of a turn: words in lower case, `''` or -1 for unknown. */
export class MatchContext {
  readonly source: PromptExecutionContext;
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
  readonly #predicates: Predicates | undefined;
  readonly #report: Report | undefined;
  #scans: Map<number, ScannedTexts> | undefined;

  constructor(source: PromptExecutionContext, predicates?: Predicates, report?: Report) {
    const skill = parseSkillLevel(source.userSkillLevel);
    const complexity = parseTaskComplexity(source.taskComplexity);
    this.source = source;
    this.mood = parseMood(source.currentMood) ?? lower(source.currentMood);
    this.skill = skill ?? lower(source.userSkillLevel);
    this.skillRank = skill === undefined ? -1 : SKILL_LEVELS.indexOf(skill);
    this.complexity = complexity ?? lower(source.taskComplexity);
    this.complexityRank = complexity === undefined ? -1 : TASK_COMPLEXITIES.indexOf(complexity);
    this.taskHint = lower(source.taskHint);
    this.language = tagOf(source.language);
    this.signals = source.conversationSignals?.map(lower) ?? NO_SIGNALS;
    this.sentimentScore = Number.isFinite(source.sentimentScore) ? (source.sentimentScore ?? undefined) : undefined;
    this.turn = source.turn;
    this.#predicates = predicates;
    this.#report = report;
  }

  /** 0 to 1; `undefined` when nothing is known of any trait. */
  trait(name: string): number | undefined {
    const traits = this.source.traits ?? this.source.activePersona?.personalityTraits;
    if (traits === undefined) return undefined;
    return ownValue(traits, name) ?? MIDDLE;
  }

  /** The newest `depth` texts. */
  scanned(depth: number): ScannedTexts {
    this.#scans ??= new Map();
    const known = this.#scans.get(depth);
    if (known !== undefined) return known;
    const plain = (this.source.recentTexts ?? []).slice(-depth).map((text) => text.normalize('NFC'));
    const words = plain.map(foldWords);
    const scan = { plain, words, lower: words.map(foldCase) };
    this.#scans.set(depth, scan);
    return scan;
  }

  /** Asks a host's predicate; false, and an issue, when it throws or answers with anything but a boolean. */
  predicate(name: string): boolean {
    let answer: unknown;
    try {
      answer = this.#predicates?.[name]?.(this.source);
    } catch {
      answer = undefined;
    }
    if (typeof answer === 'boolean') return answer;
    const message = `The predicate "${name}" threw or gave no boolean; it does not hold.`;
    this.#report?.('predicate_failed', 'warning', message, { predicate: name });
    return false;
  }
}

/** A language tag as it is compared: `pt_BR` is `pt-br`. */
export function tagOf(language: string | undefined): string {
  const tag = lower(language);
  return tag.includes('_') ? tag.replaceAll('_', '-') : tag;
}

function lower(word: string | undefined): string {
  return word === undefined ? '' : word.trim().toLowerCase();
}
