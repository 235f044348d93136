import type { Evidence } from './affect.js';
import { type Ascriptions, noAscriptions, takeMarks, withdrawTheirs } from './ascribe-feelings.js';
import { emojiTable } from './emoji-table.js';
import { PICTURES } from './lexicon/emoji.js';
import { CUE_VALUES, CUES } from './lexicon/language-source.js';
import { type Lexicon, phraseCues, phraseValue, ROLE } from './lexicon.js';
import { idsOf } from './look-up-words.js';
import { MASKS } from './mask-text.js';
import { matchPhrase, type PhraseMatch } from './scan-phrases.js';
import { KIND, type Tokens } from './tokens.js';

/** What stands in a text, found once and read by all rules. */
export interface Findings {
  /** By cue, in the order of `CUES`: how often it stands there un-negated. */
  readonly cues: number[];
  /** By cue: the index of its first token, -1 for none. */
  readonly first: number[];
  /** Sums of what words and phrases weigh, on AFINN's scale; `negative` is 0 or above. */
  positive: number;
  negative: number;
  words: number;
  /** Spans of code, logs and quotes. */
  masked: number;
  second: number;
  third: number;
  requests: number;
  negations: number;
  contrasts: number;
  /** Verbs that hand over a task. */
  tasks: number;
  /** The first "now", or -1. */
  nowAt: number;
  readonly hits: Hit[];
}

export interface Hit {
  readonly kind: Evidence['kind'];
  /** Its first token; for a negated word the negator. */
  readonly text: string;
  /** Where it begins, and where it ends (exclusive). */
  readonly at: number;
  readonly end: number;
  /** On AFINN's scale. */
  weight: number;
  /** The cues that it gave, as bits in the order of `CUES`. */
  cues: number;
}

/** How many words a negation reaches. */
const SCOPE = 4;
/** What a negation leaves: "not good" is weaker than "bad", "not bad" much weaker than "good". VADER's -0.74, and ours. */
const NEGATED = { positive: -0.74, negative: -0.4, twice: 0.8 } as const;
const BOOST = 1.3;
const DAMP = 0.6;
const CAPITALS = 1.25;
const JOINED = 0.3;

/**
 * Finds the words, phrases, emoji and negations of a text.
 *
 * @param lexicons - The languages to read it in; the first that knows a word decides.
 */
export function scanFeelings(tokens: Tokens, lexicons: readonly Lexicon[]): Findings {
  const found: Findings = {
    cues: new Array<number>(CUES.length).fill(0),
    first: new Array<number>(CUES.length).fill(-1),
    positive: 0,
    negative: 0,
    words: 0,
    masked: 0,
    second: 0,
    third: 0,
    requests: 0,
    negations: 0,
    contrasts: 0,
    tasks: 0,
    nowAt: -1,
    hits: [],
  };
  const idLists = lexicons.map((lexicon) => idsOf(tokens, lexicon));
  const length = tokens.texts.length;
  const shouts = tokens.uppers > 0.6 * tokens.letters;
  const state: Walk = { negations: 0, negatedFrom: -SCOPE - 1, negator: '', contrastAt: -1, boost: 1, boostAt: -3 };
  const match: PhraseMatch = { end: -1, cues: 0, marks: 0, marksEnd: 0 };
  const ascriptions: Ascriptions = noAscriptions();

  for (let index = 0; index < length; ) {
    const kind = tokens.kinds[index] ?? 0;
    if (kind === KIND.mask) {
      const mask = tokens.texts[index];
      if (mask === MASKS.code || mask === MASKS.log || mask === MASKS.quote) found.masked += 1;
      index += 1;
      continue;
    }
    if (kind === KIND.emoji || kind === KIND.face) {
      sign(found, tokens, index);
      index += 1;
      continue;
    }
    if (kind === KIND.word || kind === KIND.cjk) found.words += 1;
    let end = index + 1;
    let isKnown = false;
    for (let which = 0; which < lexicons.length && !isKnown; which += 1) {
      const lexicon = lexicons[which] as Lexicon;
      const ids = idLists[which] as number[];
      const id = ids[index] as number;
      if (id === 0) continue;
      let marks = lexicon.marks[id] as number;
      if (matchPhrase(lexicon, ids, index, match)) {
        phrase(found, tokens, lexicon, ids, index, match, state);
        end = match.end;
        isKnown = true;
        for (let at = index + 1; at < end; at += 1) marks |= lexicon.marks[ids[at] as number] as number;
      } else {
        isKnown = word(found, tokens, lexicon, ids, index, state, shouts);
      }
      marks |= match.marks;
      if (marks !== 0) takeMarks(ascriptions, found, tokens, index, Math.max(end, match.marks === 0 ? 0 : match.marksEnd), marks);
    }
    if (kind === KIND.mark && isStop(tokens.texts[index] ?? '')) {
      if (isListComma(tokens, index, state)) state.negatedFrom = index;
      else state.negations = 0;
    } else if (state.negations > 0 && index - state.negatedFrom <= SCOPE && LINKS.has(tokens.texts[index] ?? '')) state.negatedFrom = index;
    index = end;
  }
  withdrawTheirs(ascriptions, found, tokens);
  weighContrast(found, state.contrastAt);
  for (const { weight } of found.hits) {
    if (weight > 0) found.positive += weight;
    else found.negative -= weight;
  }
  return found;
}

interface Walk {
  /** Negations in force, where their reach begins, and the first of them. */
  negations: number;
  negatedFrom: number;
  negator: string;
  /** The last "but", or -1. */
  contrastAt: number;
  /** What the last intensifier does, and where it stands. */
  boost: number;
  boostAt: number;
}

/** How many tokens around an emoji may say that it is a picture: "a 🔥 icon". Ours. */
const NEAR = 4;

function sign(found: Findings, tokens: Tokens, index: number): void {
  const text = tokens.texts[index] ?? '';
  const entry = emojiTable().get(text);
  if (entry === undefined || isPicture(tokens, index)) return;
  addCues(found, entry.cues, index);
  found.hits.push({ kind: 'emoji', text, at: index, end: index + 1, weight: entry.value, cues: entry.cues });
}

function isPicture({ texts, kinds }: Tokens, index: number): boolean {
  let around = '';
  for (let at = Math.max(0, index - NEAR); at <= index + NEAR && at < texts.length; at += 1)
    around += kinds[at] === KIND.cjk ? texts[at] : ` ${texts[at]} `;
  return PICTURES.test(around);
}

function phrase(
  found: Findings,
  tokens: Tokens,
  lexicon: Lexicon,
  ids: readonly number[],
  index: number,
  match: PhraseMatch,
  state: Walk,
): void {
  const text = tokens.texts[index] ?? '';
  const cues = phraseCues(match.cues);
  const own = phraseValue(match.cues);
  let value = own ?? 0;
  if (own === undefined) {
    for (let cue = 0; cue < CUES.length; cue += 1) {
      if ((cues & (1 << cue)) === 0) continue;
      const weight = CUE_VALUES[CUES[cue] as keyof typeof CUE_VALUES];
      if (Math.abs(weight) > Math.abs(value)) value = weight;
    }
  }
  const isOne = match.end === index + 1;
  const role = lexicon.roles[ids[index] ?? 0] ?? 0;
  if (isOne) {
    // A phrase of one word keeps the word's own value and its role in the sentence.
    const listed = lexicon.values[ids[index] ?? 0] ?? 0;
    if (listed !== 0) value = listed;
    takeRole(found, role, text, index, state);
  } else if ((role & ROLE.second) !== 0) found.second += 1;
  const isNegated =
    (state.negations % 2 === 1 && index - state.negatedFrom <= SCOPE + 1) ||
    (value > 0 && isNegatedAfter(tokens, lexicon, ids, match.end - 1));
  const given = isNegated ? 0 : cues;
  if (given !== 0) addCues(found, given, index);
  if (!isOne && (role & ROLE.negator) !== 0 && goesOn(tokens, match.end)) {
    // "no issues or errors": what the phrase began with goes on behind it.
    state.negations = 1;
    state.negatedFrom = match.end - 1;
    state.negator = text;
  }
  if (value === 0) {
    if (!isOne) found.hits.push({ kind: 'phrase', text, at: index, end: match.end, weight: 0, cues: given });
    return;
  }
  let weight = value;
  if (isNegated) weight *= weight > 0 ? NEGATED.positive : NEGATED.negative;
  if (index - state.boostAt <= 2) weight *= state.boost;
  found.hits.push({ kind: isOne ? 'word' : 'phrase', text, at: index, end: match.end, weight, cues: given });
}

/** Reads one word that begins no phrase; returns whether the lexicon knows it. */
function word(
  found: Findings,
  tokens: Tokens,
  lexicon: Lexicon,
  ids: readonly number[],
  index: number,
  state: Walk,
  shouts: boolean,
): boolean {
  const id = ids[index] ?? 0;
  if (id === 0) return false;
  const role = lexicon.roles[id] ?? 0;
  const value = lexicon.values[id] ?? 0;
  const text = tokens.texts[index] ?? '';
  takeRole(found, role, text, index, state);
  if (value === 0) return role !== 0;
  let weight = value;
  if (state.negations > 0 && index - state.negatedFrom <= SCOPE) {
    weight *= state.negations % 2 === 0 ? NEGATED.twice : weight > 0 ? NEGATED.positive : NEGATED.negative;
    found.hits.push({ kind: 'negation', text: state.negator, at: index, end: index + 1, weight: 0, cues: 0 });
  } else if (isNegatedAfter(tokens, lexicon, ids, index)) {
    weight *= weight > 0 ? NEGATED.positive : NEGATED.negative;
    found.negations += 1;
  }
  if (index - state.boostAt <= 2) weight *= state.boost;
  if (!shouts && tokens.capitals.has(index)) weight *= CAPITALS;
  if (tokens.joined.has(index)) weight *= JOINED;
  found.hits.push({ kind: 'word', text, at: index, end: index + 1, weight, cues: 0 });
  return true;
}

function takeRole(found: Findings, role: number, text: string, index: number, state: Walk): void {
  if (role === 0) return;
  if ((role & ROLE.negator) !== 0) {
    if (state.negations === 0 || index - state.negatedFrom > SCOPE) {
      state.negations = 1;
      state.negator = text;
      state.negatedFrom = index;
    } else if (LINKS.has(text)) state.negatedFrom = index;
    else state.negations += 1;
    found.negations += 1;
  }
  if ((role & ROLE.booster) !== 0) {
    state.boost = BOOST;
    state.boostAt = index;
  } else if ((role & ROLE.damper) !== 0) {
    state.boost = DAMP;
    state.boostAt = index;
  }
  if ((role & ROLE.contrast) !== 0) {
    state.contrastAt = index;
    state.negations = 0;
    found.contrasts += 1;
  }
  if ((role & ROLE.second) !== 0) found.second += 1;
  if ((role & ROLE.third) !== 0) found.third += 1;
  if ((role & ROLE.request) !== 0) found.requests += 1;
}

const POSTFIX_NEGATION: ReadonlySet<string> = new Set(['de', 'nl', 'fr', 'ja']);
/** They carry a negation on: "no issues or errors", "neither problems nor complaints". */
const LINKS: ReadonlySet<string> = new Set(['or', 'nor']);
const LIST_NEGATORS: ReadonlySet<string> = new Set(['no', 'zero', 'without', 'neither']);
/** What may stand between a Japanese word and its negation, and the negation. */
const JAPANESE_NEGATION = /^(?:[くもはがり]|じゃ|では|でも|って|られ|れ)*(?:ない|なく|なかった|ません|ありません)/;

/** The comma of a list under one negation: "no bugs, crashes or complaints". */
function isListComma({ texts }: Tokens, index: number, state: Walk): boolean {
  if (state.negations === 0 || !LIST_NEGATORS.has(state.negator) || index - state.negatedFrom > 3) return false;
  return texts[index] === ',' && texts.slice(index + 1, index + 5).some((text) => LINKS.has(text) || text === 'and');
}

/** "no issues or errors", "no bugs, crashes or complaints": a link follows at once, or a comma and soon a link. */
function goesOn({ texts }: Tokens, from: number): boolean {
  return LINKS.has(texts[from] ?? '') || (texts[from] === ',' && texts.slice(from + 1, from + 4).some((text) => LINKS.has(text)));
}

/** German and Dutch often, French and Japanese always, put the negation behind: `gefällt mir nicht`. */
function isNegatedAfter(tokens: Tokens, lexicon: Lexicon, ids: readonly number[], index: number): boolean {
  if (!POSTFIX_NEGATION.has(lexicon.language)) return false;
  if (lexicon.language === 'ja') return JAPANESE_NEGATION.test(tokens.texts.slice(index + 1, index + 8).join(''));
  for (let at = index + 1; at <= index + 3 && at < ids.length; at += 1) {
    if (tokens.kinds[at] === KIND.mark) return false;
    if (((lexicon.roles[ids[at] ?? 0] ?? 0) & ROLE.negator) === 0) continue;
    if (lexicon.language === 'fr' || isEnd(tokens, at + 1)) return true;
    // "werkt niet goed": the word behind the negation may close the clause.
    return isEnd(tokens, at + 2) && (lexicon.values[ids[at + 1] ?? 0] ?? 0) > 0;
  }
  return false;
}

function isEnd(tokens: Tokens, at: number): boolean {
  return at >= tokens.texts.length || tokens.kinds[at] === KIND.mark;
}

function addCues(found: Findings, cues: number, index: number): void {
  for (let cue = 0; cue < CUES.length; cue += 1) {
    if ((cues & (1 << cue)) === 0) continue;
    found.cues[cue] = (found.cues[cue] ?? 0) + 1;
    if (found.first[cue] === -1) found.first[cue] = index;
  }
}

/** After a "but" lies the weight of the sentence, when both sides say something. VADER's rule with milder figures. */
function weighContrast(found: Findings, contrastAt: number): void {
  if (contrastAt === -1) return;
  const hasBefore = found.hits.some((hit) => hit.at < contrastAt && hit.weight !== 0);
  const hasAfter = found.hits.some((hit) => hit.at > contrastAt && hit.weight !== 0);
  if (!hasBefore || !hasAfter) return;
  for (const hit of found.hits) hit.weight *= hit.at < contrastAt ? 0.6 : 1.3;
}

function isStop(mark: string): boolean {
  return '.,;:!?…。、-—()'.includes(mark.charAt(0));
}
