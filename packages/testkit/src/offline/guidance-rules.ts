import type { Guideline } from './guideline.js';
import type { Style } from './style.js';

type Change = Partial<Style> | ((match: RegExpExecArray, style: Style, text: string) => Partial<Style>);
type Rule = readonly [pattern: RegExp, change: Change];

const NUMBERS: { readonly [word: string]: number } = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  ten: 10,
  twenty: 20,
  fifty: 50,
};
const COUNT = '(\\d+|one|a single|two|three|four|five|six|seven|eight|ten|twenty|fifty)';
const numberOf = (word = ''): number => NUMBERS[word.toLowerCase()] ?? (Number.parseInt(word, 10) || 1);
const QUOTED = /["“]([^"”]{1,120})["”]|(?<!\p{L})'([^']{2,120})'/u;
const quoteIn = (match: RegExpExecArray): string => match[1] ?? match[2] ?? '';

/** What a demand does, by the general words in it. Every rule that matches acts; a later one wins. */
const DEMANDS: readonly Rule[] = [
  [/\b(?:short(?:er)?|brief(?:ly)?|concise(?:ly)?|terse|succinct|to the point|compact|few words)\b/i, { shorter: true }],
  [
    new RegExp(`\\b${COUNT}(?: \\w+)? sentences?\\b`, 'i'),
    ([, count], _style, text) =>
      /\b(?:at most|no more|up to|fewer|under|maximum)\b/i.test(text) ? { maxSentences: numberOf(count) } : { sentences: numberOf(count) },
  ],
  [new RegExp(`\\b${COUNT} words\\b`, 'i'), ([, count]) => (numberOf(count) > 2 ? { maxWords: numberOf(count) } : {})],
  [/\b(?:in (?:full |more |great )?detail|thorough(?:ly)?|elaborate|at length|comprehensive|long answer|expand)\b/i, { detailed: true }],
  [/\b(?:one|single)\s+(?:\w+\s+){0,2}(?:concept|idea|thing|point)\b|\bone at a time\b/i, { oneConcept: true }],
  [/\b(?:one|single)\s+(?:\w+\s+){0,2}step\b|\bnext step\b/i, { oneStep: true }],
  [/\b(?:exercise|homework|challenge|task to try)\b/i, { oneStep: true, exercise: true }],
  [/\b(?:again|anew|differently|another (?:side|angle|way)|other words)\b/i, { anew: true }],
  [/\b(?:slow(?: down|ly)?|from the beginning|bit by bit)\b/i, { level: 'basic', pace: 'slow' }],
  [/\b(?:simple words|simply|simplif\w+|simpler|plain (?:words|language|english)|for (?:a )?beginners?|child)\b/i, { level: 'basic' }],
  [/\bskip (?:the )?(?:basics|introductions?)\b/i, { level: 'deep', pace: 'quick' }],
  [/\b(?:non-obvious|easy to miss|subtle)\b/i, { level: 'deep', nonObvious: true }],
  [/\b(?:in depth|expert|advanced|technical(?:ly)?|under the hood)\b/i, { level: 'deep' }],
  [/\b(?:bullet(?:ed)?(?: points?| list)?|as a list|list the|use lists?)\b/i, { list: 'bullets' }],
  [/\b(?:numbered|step[ -]by[ -]step|number (?:the|each|your)|enumerate|ordered list)\b/i, { list: 'numbers' }],
  [/\b(?:instead of|rather than|not) (?:a |in )?lists?\b|\b(?:in|as) prose\b/i, { list: 'none' }],
  [
    /\bask\b|\b(?:end|finish|close|pose)\b[^.]*\bquestions?\b|\binvite (?:the user|them|questions)|open[- ]ended/i,
    (_match, { ask }) => ({ ask: ask ?? 'open', askTwice: ask !== undefined }),
  ],
  [/\b(?:clarifying question|ask (?:for|what they|which|them what)|clarify what)\b/i, { ask: 'clarify' }],
  [
    /\b(?:confirm|check|test)\b[^.]*\b(?:understand\w*|follow\w*)|\bcheck in\b|\bquiz\b/i,
    (_match, { ask }) => ({ ask: 'check', askTwice: ask === 'check' }),
  ],
  [
    /\b(?:acknowledge|validate|empath\w+|show understanding|sympath\w+|compassion\w*|reassur\w+|(?:be|are|stay|remain) (?:kind|gentle|patient|warm|supportive))\b/i,
    (_match, { acknowledge }) => ({ acknowledge: acknowledge < 2 ? 2 : 3 }),
  ],
  [/\b(?:apologi[sz]e|say sorry|express regret|apology)\b/i, { apologise: true }],
  [/\b(?:encourag\w+|(?:be|are) (?:positive|upbeat)|praise|celebrate|congratulate|compliment|motivat\w+|cheer)\b/i, { encourage: true }],
  [/\b(?:thank (?:the|them|you)|express (?:thanks|gratitude)|say thank)/i, { thank: true }],
  [/\b(?:cite|name|mention|list|lead with)\b[^.]*\b(?:names?|patterns?|apis?|terms?|libraries)\b/i, { names: true }],
  [/\b(?:examples?|illustrate|demonstrate)\b/i, { example: true }],
  [/\b(?:analog(?:y|ies)|metaphors?|simile|everyday (?:image|comparison|life))\b/i, { analogy: true }],
  [/\b(?:recap|summari[sz]e|sum up|tl;?dr|takeaway)\b/i, { recap: true }],
  [
    /\b(?:restate|repeat|rephrase|paraphrase|mirror|echo|reflect back)\b[^.]*\b(?:questions?|problem|request|words|said|concern|asked)\b/i,
    { restate: true },
  ],
  [/\b(?:casual(?:ly)?|informal(?:ly)?|relaxed|friendly|chatty|playful(?:ly)?)\b/i, { register: 'casual' }],
  [/\b(?:formal(?:ly)?|professional(?:ly)?|polite(?:ly)?|courteous(?:ly)?)\b/i, { register: 'formal' }],
  [/\b(?:emojis?|emoticons?)\b/i, { emoji: true }],
  [/\bexclamation|\benthusias\w+|\bexcited(?:ly)?\b|\benergetic\b/i, { exclaim: true }],
  [/\b(?:upper ?case|capital letters|all caps|in capitals)\b/i, { casing: 'upper' }],
  [/\blower ?case\b/i, { casing: 'lower' }],
  [
    /\b(?:in|speak|use|to) (german|french|spanish|deutsch|français|español)\b/i,
    ([, language = '']) => ({ language: language.toLowerCase() }),
  ],
  [/\b(?:direct(?:ly)?|straight (?:to|away)|no small talk|lead with the (?:answer|result)|answer first)\b/i, { direct: true }],
  [
    /\b(?:[Aa]ddress|[Cc]all) (?:the user|them|him|her|me|the customer)(?: as| by)?\s+["'“]?(\p{Lu}[\p{L} ]{0,30})["'”]?/u,
    ([, name = '']) => ({ address: name.trim() }),
  ],
  [/\bsign (?:off )?(?:your \w+ |every \w+ )?(?:as|with)\s+["'“]?([^"'“”.]{1,40})["'”]?/i, ([, name = '']) => ({ signature: name.trim() })],
  [
    /\b(?:instead of|rather than) ["'“]([^"'”]{1,40})["'”]/i,
    ([, from = ''], { replaced }, text) => {
      const to = /\b(?:say|write|use|prefer)\s+["'“]([^"'”]{1,40})["'”]/i.exec(text)?.[1];
      return to === undefined ? {} : { replaced: [...replaced, [from, to]] };
    },
  ],
  [
    /\bcall (?:an? |the )?([\p{L}-]{3,20}?)s? ["'“]([^"'”]{1,40})["'”]/iu,
    ([, from = '', to = ''], { replaced }) => ({ replaced: [...replaced, [from, to]] }),
  ],
  [
    QUOTED,
    (match, { starts, ends, mentions }, text) => {
      const quoted = quoteIn(match);
      if (/\b(?:instead of|rather than|call|sign)\b/i.test(text)) return {};
      if (/\b(?:end|close|finish|conclude|last)\b/i.test(text)) return { ends: [...ends, quoted] };
      if (/\b(?:start|begin|open|first|greet|prefix)\b/i.test(text)) return { starts: [...starts, quoted] };
      return { mentions: [...mentions, quoted] };
    },
  ],
  [
    /\b(?:use|say|write|include|work in|slip in) (?:the )?(?:word|term|phrase) ([\p{L}-]{2,30})\b/iu,
    ([, word = ''], { mentions }) => ({ mentions: [...mentions, word] }),
  ],
];

/** What a demand to leave something out does. */
const BANS: readonly Rule[] = [
  [/\b(?:lists?|bullets?|bullet points|enumerat\w+)\b/i, { list: 'none' }],
  [/\bquestions?\b/i, { ask: 'none' }],
  [/\b(?:jargon|technical (?:terms|words|language)|acronyms)\b/i, { level: 'basic', names: false }],
  [/\b(?:code|snippets?|examples?)\b/i, { example: false }],
  [/\b(?:analog\w+|metaphors?|comparisons?)\b/i, { analogy: false }],
  [/\b(?:apolog\w+|sorry)\b/i, { apologise: false }],
  [/\b(?:emojis?|emoticons?)\b/i, { emoji: false }],
  [/\bexclamation|\benthusias\w+/i, { exclaim: false }],
  [/\b(?:long|length|ramble|rambling|lengthy|overwhelm\w*|wordy|verbose)\b/i, { shorter: true }],
  [/\b(?:small talk|filler|preamble|introductions?|pleasantries)\b/i, { direct: true }],
  [QUOTED, (match, { banned }) => ({ banned: [...banned, quoteIn(match)] })],
  [/\b(?:words?|terms?|phrases?) (?:like |such as )?([\p{L}-]{3,30})/iu, ([, word = ''], { banned }) => ({ banned: [...banned, word] })],
  [/^([\p{L}-]{4,30})$/u, ([, word = ''], { banned }) => ({ banned: [...banned, word] })],
];

// A description of the persona (“You are calm and brief.”) sets a tone as a demand does.
const TRAIT = /^(?:you (?:are|sound|speak|write|answer)|your (?:tone|voice|style|answers?|replies))\b/i;

/** What the user's own words wish of the form, such as “shorter please” or “give me an example”. */
export function withWishes(style: Style, user: string): Style {
  const wish =
    /\b(?:examples?|short(?:er)?|brief(?:ly)?|step[ -]by[ -]step|bullet points?|as a list|simpler?|plain (?:words|english)|analog(?:y|ies)|in (?:more )?detail)\b/i.exec(
      user,
    );
  return wish && user.length < 160 ? applied(style, DEMANDS, wish[0]) : style;
}

/** Reads guidance into a style; later guidance wins over earlier. */
export function withGuidance(style: Style, guidance: readonly Guideline[]): Style {
  return guidance.reduce((so, { negative, verb, object, text, aloud }) => {
    if (negative) return applied(so, BANS, object);
    // A fragment such as “One concept at a time” demands as much.
    const fragment = aloud === 'always' && !/\b(?:is|are|was|has|have|will|can)\b/.test(text);
    return verb !== undefined || fragment || TRAIT.test(text) ? applied(so, DEMANDS, text) : so;
  }, style);
}

function applied(style: Style, rules: readonly Rule[], text: string): Style {
  let so = style;
  for (const [pattern, change] of rules) {
    const match = pattern.exec(text);
    if (match) so = { ...so, ...(typeof change === 'function' ? change(match, so, text) : change) };
  }
  return so;
}
