import { sentencesOf } from './sentences.js';

/** One piece of guidance found in a prompt. */
export interface Guideline {
  /** The sentence as it stands in the prompt. */
  readonly text: string;
  /**
   * When a demand whose effect cannot be seen is named in the reply: `always` for what a state note or a section of its
   * own says, `first` (in the first reply) for the rest of the system prompt, `never` for limits.
   */
  readonly aloud: 'always' | 'first' | 'never';
  /** The verb of a demand, such as `avoid`; absent for a statement. */
  readonly verb?: string | undefined;
  /** What follows the verb, without the closing mark. */
  readonly object: string;
  /** True for do not, never, avoid, stop. */
  readonly negative: boolean;
  /** `When …`, `If …`: what stands before the demand. */
  readonly condition?: string | undefined;
}

const COMMON_VERBS: ReadonlySet<string> = new Set(
  (
    'accept acknowledge act add address admit answer apologise apologize appeal ask assume be begin bring build call celebrate change check choose ' +
    'cite clarify close combine compare compliment confirm connect consider convey cover define demonstrate describe direct discuss double draw ' +
    'emphasise emphasize encourage end enumerate explain explore express favour finish focus follow form frame give go greet guide help highlight ' +
    'hold ignore illustrate imagine imply include inform insist introduce invite join judge keep lead leave let limit link list listen look lower ' +
    'maintain make match mention mind mirror mix move name note offer omit open order paint paraphrase pause pick place play point praise prefer ' +
    'present pretend prioritise promise propose provide put question quote raise react read recap recommend refer reflect refuse relate remain ' +
    'remember remind repeat rephrase replace reply report respond restate return rhyme round say serve share show sign simplify skip slow soften ' +
    'sound speak spell split start state stay stick stop stress structure suggest summarise summarize suppose take talk teach tell thank think tie ' +
    'treat try turn use validate vary voice walk warn welcome wish word work write'
  ).split(' '),
);
const NOT_A_VERB: ReadonlySet<string> = new Set(
  (
    'a about above according after all although an and another any are as at because before being below between both but by context current each ' +
    'either every everything example examples few first for from goal guidance hard he her here his how however i if in into is it its language ' +
    'last many messages mood more most much my neither new next no nobody none nor nothing now of off on once one or other our out over own part ' +
    'people persona records returns role rules second she since so some somebody someone soft such text than that the their them then there these ' +
    'they third this those though through time to today together tone too two under until up upon user users very we what when where which while ' +
    'who whole whose why with within without you your yes'
  ).split(' '),
);
// What follows a verb in a demand: an article, a pronoun, a preposition, an adverb, a number, a quotation.
const AFTER_A_VERB =
  /^(?:an?|the|this|that|these|those|my|your|his|her|its|our|their|it|them|him|me|us|you|one|two|three|all|any|both|each|every|no|some|more|less|most|with|without|in|into|on|onto|at|to|from|for|of|as|by|about|up|down|out|off|over|under|around|back|away|between|like|only|not|if|when|while|whenever|how|what|why|where|whether|and|or|\w+ly|\d.*|["'“‘*`].*)$/i;
const FINITE =
  /^(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|should|shall|does|did|means|needs|wants|prefers|gives|stands?)$/i;
const NEGATION = /^(?:do not|don['’]t|never|avoid|stop|refrain from|without|no)\s+/i;

/** The guidance of a state note's part, or of a system prompt, section by section. */
export function guidelinesOf(text: string, source: 'note' | 'system'): readonly Guideline[] {
  return text.split(/\n{2,}/).flatMap((section) => {
    const heading = /^[^\n]{2,60}:(?=\n)/.exec(section)?.[0];
    const aloud =
      heading !== undefined && /\blimits?\b/i.test(heading) ? 'never' : source === 'note' || heading !== undefined ? 'always' : 'first';
    return sentencesOf(section)
      .filter((sentence) => !/:$/.test(sentence) && !/^[\w .-]{1,40}:\s*\S{0,30}$/.test(sentence) && sentence.split(/\s+/).length > 1)
      .map((sentence) => guidelineOf(sentence, aloud));
  });
}

function guidelineOf(text: string, aloud: Guideline['aloud']): Guideline {
  let rest = text.replace(/[.!;\s]+$/, '').replace(/^[\w -]{2,24}:\s+(?=\p{Lu})/u, '');
  let condition: string | undefined;
  const conditional =
    /^((?:when|whenever|if|before|after|while|once|as long as|as soon as|for|in)\b[^,]{2,80}),\s*(?:then\s+)?(.+)$/is.exec(rest);
  if (conditional?.[1] && conditional[2]) [condition, rest] = [conditional[1], conditional[2]];
  rest = rest.replace(/^you\s+(?:should|must|may|can|will)\s*not\s+/i, 'do not ').replace(/^you\s+never\s+/i, 'never ');
  rest = rest.replace(/^you\s+(?:should|must|always|will|need to|have to|ought to|are to)\s+(?:always\s+)?/i, '');
  rest = rest.replace(/^(?:(?:please|always|also|then|instead|now|just|kindly|still|\w+ly)[,\s]+)+(?=\w)/i, '');
  const negation = NEGATION.exec(rest);
  if (negation) rest = rest.slice(negation[0].length);
  const [, word = '', after = ''] = /^([\p{L}’'-]+)\s*(.*)$/su.exec(rest) ?? [];
  if (negation === null && !isVerb(word.toLowerCase(), after)) return { text, aloud, object: rest, negative: false, condition };
  // “Avoid jargon” and “no lists” have no verb of their own; “never promise” has.
  const bare = negation !== null && /^(?:avoid|stop|refrain|no\b|without)/i.test(negation[0]);
  const [verb, object] = bare ? ['avoid', rest] : [word.toLowerCase(), after];
  return { text, aloud, verb, object, negative: negation !== null, condition };
}

function isVerb(word: string, after: string): boolean {
  if (word === '' || after.startsWith(':') || NOT_A_VERB.has(word)) return false;
  const [second = '', third = ''] = after.split(/\s+/);
  if (FINITE.test(second)) return false;
  if (COMMON_VERBS.has(word)) return true;
  if (/(?:[^s]s|ing|ed)$/.test(word)) return false;
  return second === '' || AFTER_A_VERB.test(second) || (/s$/.test(second) && (third === '' || AFTER_A_VERB.test(third)));
}

/** The form of a verb that ends in -ing. */
export function gerundOf(verb: string): string {
  if (verb === 'be') return 'being';
  if (/ie$/.test(verb)) return `${verb.slice(0, -2)}ying`;
  if (/[^eoy]e$/.test(verb)) return `${verb.slice(0, -1)}ing`;
  const double = /^[^aeiou]*[aeiou][bdgklmnprt]$/.test(verb) || /(?:begin|refer|prefer|admit|commit|forget|permit|submit)$/.test(verb);
  return double ? `${verb}${verb.slice(-1)}ing` : `${verb}ing`;
}
