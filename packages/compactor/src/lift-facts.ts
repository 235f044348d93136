import { callsIn, type MessageTraits, resultTexts, traitsOf } from './dialect.js';
import type { Fact, FactKind, FactSource } from './facts.js';
import { findLiterals } from './literals.js';
import { cutBefore, wellFormed } from './well-formed.js';
import { saidText } from './without-reasoning.js';

/** Longest text of one fact, in characters. */
const LONGEST_FACT = 180;
/** At most this many literals are taken from one tool result, and this many finished calls from one fold. */
const LITERALS_PER_RESULT = 16;
const DONE_PER_FOLD = 12;

const DECISION =
  /\b(?:decided?|decision|agreed?|settled on|chose|chosen|choose|picked|pick|go(?:ing)? (?:with|for)|went with|let'?s (?:use|go|stick|make|keep|call|do)|approved?|confirm(?:ed|s)?|opt(?:ed)? for|switch(?:ed|ing)? to|final(?:ly|ise|ize|ised|ized)?|will use|we(?:'ll| will) (?:use|go)|from now on|plan is|beschlossen|entschieden|decidido)\b|\bdécidé/i;
const CORRECTION =
  /\b(?:actually|correction|corrected|i meant|i mean|meant to say|scratch that|not .{1,40} but|no[,.] (?:it|that|make|the|my|i|we)|rather than|instead|changed?|wrong|mistake|mistaken|misspoke|typo|should (?:be|have been|read)|sorry|update|updated|revised?|moved to|rescheduled|eigentlich|doch nicht|en realidad|en fait)\b/i;
const PROMISE =
  /\b(?:i(?:'ll| will| promise| shall)|we(?:'ll| will| promise)|promised?|guarantee[ds]?|committed to|you have my word|i am going to|i'm going to|will (?:send|call|get back|deliver|refund|ship|email|reply|follow|let you know|notify|arrive)|ich werde|voy a|je vais)\b/i;
const OPEN =
  /\b(?:to-?do|remind|reminder|don'?t forget|remember to|still (?:need|have|open|waiting|pending|to|not|missing|owe)|pending|follow[- ]?up|later|next (?:step|time|week|month)|unresolved|open (?:question|issue|point|item)|waiting (?:for|on)|need(?:s)? to|outstanding|blocked|get back to|not yet|tbd|undecided|awaiting|unanswered|remains?)\b|^\s*(?:[-*]\s*)?\[[ x]?\]/i;
/** Small talk: nothing to keep, however it is capitalised. No word stands here twice and no two make a third, or long ones would take for ever. */
const TRIVIAL =
  /^(?:(?:hi|hello|hey|thanks?|thx|ok(?:ay)?|yes|no|yep|nope|sure|great|perfect|good|cool|nice|fine|please|bye|goodbye|got it|sounds good|alright|right|exactly|awesome|wonderful|sorry|hmm+|oh|well|so|and|then|again|too|very|much|lot|for|your|the|help|that'?s|it|is|all|i|am|i'?m|you|have|a|day|night|evening|morning|afternoon|take|care|everything|question|need|see|later|welcome|no problem|my pleasure|how|are|can|could|do|will|what|of|course|there|with|today|any|anything|else|would|be|to|me|moment|one|just|let|know)\b[\s,.!?…'’-]*)+$/i;
/** Words that make a look at the patterns above worth its while; most sentences have none. */
const TRIGGERS =
  /decid|decision|agree|settled|cho[so]|pick|go|went|let'?s|approv|confirm|opt|switch|final|will|'ll|from now|plan|beschl|entschi|décid|actually|correct|mean|scratch|not|no[,.]|rather|instead|chang|wrong|mista|misspoke|typo|should|sorry|updat|revis|moved|resched|eigentlich|doch|realidad|fait|promis|guarant|commit|word|werde|voy|vais|to-?do|remi|forget|remember|still|pending|follow|later|next|unresol|open|wait|need|outstand|block|back|tbd|undecid|\[/i;

/**
 * Lifts from messages what a summary may lose: numbers, names, dates, paths and identifiers in the sentence they stand
 * in, decisions, corrections, promises and open points. No model takes part; equal messages give equal facts.
 *
 * Text of the machine (synthetic messages, beats, internal notes) is no source. What tools said is kept apart.
 *
 * @param redact - Takes credentials out of a whole text, before it is parted: of a part alone many cannot be told.
 */
export function liftFacts(
  messages: readonly object[],
  traits: (message: object) => MessageTraits = traitsOf,
  redact: (text: string) => string = (text) => text,
): readonly Fact[] {
  const facts: Fact[] = [];
  const done = new Map<string, string>();
  for (const message of messages) {
    const { role, origin, results, calls, speaks } = traits(message);
    if (role === 'assistant' && (origin === undefined || origin === 'assistant')) liftSpoken(redact(saidText(message)), 'assistant', facts);
    else if (role === 'user' && speaks && (origin === undefined || origin === 'user')) liftSpoken(redact(saidText(message)), 'user', facts);
    if (results.length > 0) {
      for (const result of resultTexts(message)) {
        const text = redact(result);
        if (/^\W{0,3}(?:error|fail)/i.test(text)) for (const id of results) if (done.has(id)) done.set(id, `${done.get(id)!} failed`);
        const fact = liftResult(text);
        if (fact) facts.push(fact);
      }
    }
    if (calls.length > 0) {
      for (const { id, name, args: given } of callsIn(message)) {
        const args = redact(given);
        done.set(
          id === '' ? `#${done.size}` : id,
          oneLine(`${name}(${args.length > 80 ? `${args.slice(0, cutBefore(args, 80))}…` : args})`),
        );
      }
    }
  }
  const work = [...done.values()].slice(-DONE_PER_FOLD).map((text): Fact => ({ kind: 'done', by: 'assistant', text }));
  return work.length === 0 ? facts : [...work, ...facts];
}

/** Literals of a text that is left out, for the mark that stands in its place. */
export function literalsOf(text: string, limit = LITERALS_PER_RESULT): readonly string[] {
  const seen = new Set<string>();
  for (const [from, to] of sentences(text)) {
    for (const literal of findLiterals(text, from, to)) {
      if (literal.strong) seen.add(oneLine(text.slice(literal.start, literal.end)));
      if (seen.size >= limit) return [...seen];
    }
  }
  return [...seen];
}

function liftSpoken(text: string, by: FactSource, facts: Fact[]): void {
  let inCode = false;
  for (const [from, to] of sentences(text)) {
    if (text.startsWith('```', from)) {
      inCode = !inCode;
      continue;
    }
    if (to - from < 3) continue;
    const sentence = text.slice(from, to).replaceAll('’', "'");
    const kind = TRIGGERS.test(sentence) ? kindOf(sentence) : 'fact';
    const mayHold =
      kind !== 'fact' ||
      by === 'user' ||
      /[\p{Nd}@/\\_"“«„「`#=]|[\p{L}\p{N},;:] \p{Lu}|\p{Lu}{2}|(?:second|minute|hour|day|week|month|year)s?\b/u.test(sentence);
    if (!mayHold || (inCode && kind === 'fact' && !/[/\\@]|\d{3}/.test(sentence)) || TRIVIAL.test(sentence)) continue;
    const literals = findLiterals(text, from, to);
    if (literals.length === 0 && kind === 'fact' && (by !== 'user' || !hasWords(sentence))) continue;
    facts.push({ kind, by, text: clip(text, from, to, literals) });
  }
}

function kindOf(sentence: string): FactKind {
  if (OPEN.test(sentence)) return 'open';
  if (CORRECTION.test(sentence)) return 'correction';
  if (DECISION.test(sentence)) return 'decision';
  return PROMISE.test(sentence) ? 'promise' : 'fact';
}

/** Thai, Lao, Burmese, Khmer, Japanese, Chinese; and Korean, whose words say as much. */
const UNSPACED_WORDS = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{4}/;

function hasWords(sentence: string): boolean {
  // Of scripts without capitals no name is known by its form, and not all of them have blanks.
  return /\S\s+\S+\s+\S/.test(sentence) || UNSPACED_WORDS.test(sentence) || /[\p{Lo}\p{M}]{2}\s+\p{Lo}[\p{Lo}\p{M}]/u.test(sentence);
}

/** A tool's result as one fact: its literals with the word before each. */
function liftResult(result: string): Fact | undefined {
  const whole = result.length > 40_000 ? `${result.slice(0, 30_000)}\n${result.slice(-10_000)}` : result;
  // In JSON, marks are blanks and what stands between two commas is a sentence: what counts are keys and values.
  const text = /^\s*[{[]/.test(whole) ? whole.replace(/["[\]]+/g, ' ').replace(/[{},]+/g, '\n') : whole;
  const pieces: string[] = [];
  const seen = new Set<string>();
  for (const [from, to] of sentences(text)) {
    for (const literal of findLiterals(text, from, to)) {
      const value = text.slice(literal.start, literal.end);
      if (!literal.strong || seen.has(value) || value.length > LONGEST_FACT) continue;
      seen.add(value);
      const before = /([\p{L}\p{N}_-]+(?: [\p{L}\p{N}_-]+)?)\s*[:=]?\s*$/u
        .exec(text.slice(Math.max(from, literal.start - 30), literal.start))?.[1]
        ?.trim();
      pieces.push(before ? `${before} ${value}` : value);
    }
    if (pieces.length >= LITERALS_PER_RESULT) break;
  }
  return pieces.length === 0 ? undefined : { kind: 'fact', by: 'tool', text: oneLine(pieces.slice(0, LITERALS_PER_RESULT).join('; ')) };
}

/** The sentence, or the parts of it around its literals when it is long. */
function clip(text: string, from: number, to: number, literals: readonly { readonly start: number; readonly end: number }[]): string {
  if (to - from <= LONGEST_FACT) return oneLine(text.slice(from, to));
  if (literals.length === 0) return oneLine(`${text.slice(from, cutBefore(text, from + LONGEST_FACT))}…`);
  const pieces: string[] = [];
  let at = from;
  let left = LONGEST_FACT * 2;
  for (const { start, end } of literals) {
    const begin = Math.max(at, wordStart(text, Math.max(from, start - 40)));
    if (end <= at) continue;
    const stop = Math.min(to, wordEnd(text, end + 15, to));
    if (stop - begin > left) break;
    pieces.push(`${begin > at ? '…' : ''}${text.slice(begin, stop)}`);
    left -= stop - begin;
    at = stop;
  }
  return oneLine(pieces.join(''));
}

function wordStart(text: string, at: number): number {
  const space = text.indexOf(' ', at);
  return at === 0 || space < 0 || space > at + 20 ? cutBefore(text, at) : space + 1;
}

function wordEnd(text: string, at: number, to: number): number {
  const space = text.indexOf(' ', at);
  return space < 0 || space > to ? to : space;
}

export function oneLine(text: string): string {
  return wellFormed(text.replace(/\s+/g, ' ').trim());
}

/** Start and end of each sentence: at line breaks, and behind `.`, `!`, `?` that a blank follows, `。` and its kin. */
export function* sentences(text: string): Generator<readonly [from: number, to: number]> {
  let from = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    let end = 0;
    if (code === 10 || code === 13) end = index;
    else if (code === 0x3002 || code === 0xff01 || code === 0xff1f) end = index + 1;
    else if ((code === 46 || code === 33 || code === 63) && (text.charCodeAt(index + 1) <= 32 || index + 1 === text.length)) {
      // "No. 5", "Dr. Who", "3. item": a dot behind a short word or a numeral ends no sentence.
      if (
        code === 46 &&
        /(?:^|\s)(?:[A-Z]|\d{1,2}|no|nr|dr|mr|mrs|ms|st|vs|approx|ca|art|fig)$/i.test(text.slice(Math.max(from, index - 8), index))
      )
        continue;
      end = index + 1;
    }
    if (end > 0) {
      if (end > from) yield trimmed(text, from, end);
      from = Math.max(end, index + 1);
    }
  }
  if (from < text.length) yield trimmed(text, from, text.length);
}

function trimmed(text: string, from: number, to: number): readonly [number, number] {
  let start = from;
  while (start < to && text.charCodeAt(start) <= 32) start += 1;
  return [start, to];
}
