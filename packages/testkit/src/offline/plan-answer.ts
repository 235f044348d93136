import { type Concept, conceptIn } from './concepts.js';
import type { Line, Prompt } from './read-prompt.js';
import { contentWordsOf, overlapOf, shortened } from './sentences.js';
import { isSupport, supportMatter } from './support-matter.js';
import type { Detail } from './support-topics.js';

/** What an answer has to say, before anything is decided about how. */
export interface Plan {
  readonly kind: 'explain' | 'support' | 'recall' | 'courtesy' | 'reflect';
  /** Names the matter, as in “stuck on …”. */
  readonly topic: string;
  /** Sentences of each depth, the most useful first. */
  readonly basic: readonly string[];
  readonly middle: readonly string[];
  readonly deep: readonly string[];
  /** The one sentence that must not be missing; default the first. */
  readonly core?: string | undefined;
  /** The same in other words. */
  readonly again?: string | undefined;
  readonly example?: string | undefined;
  readonly analogy?: string | undefined;
  readonly step?: string | undefined;
  readonly check?: string | undefined;
  readonly clarify: string;
  readonly names: readonly string[];
  /** What the user seems to do with this message. */
  readonly act: 'complaint' | 'confusion' | 'thanks' | 'greeting' | 'farewell' | 'question' | 'statement';
}

/** Decides what to say from the conversation, the persona's trade, and what is remembered or was retrieved. */
export function planAnswer(prompt: Prompt): Plan {
  const act = actOf(prompt.user);
  const self = introduced(prompt);
  if (self !== undefined) return plain('recall', act, 'what I am', self, 'What can I do for you?');
  const fact = agenda(prompt) ?? recalled(prompt);
  if (fact !== undefined) return plain('recall', act, 'what I noted', [fact], 'Is that still right?');
  if (isSupport(prompt)) return support(prompt, act);
  const concept = conceptOf(prompt, act);
  if (act === 'thanks' || act === 'greeting' || act === 'farewell') return courtesy(prompt, act, concept);
  return concept ? explain(concept, prompt, act) : reflect(prompt, act);
}

/** What the user does with a message, by its words. */
export function actOf(text: string): Plan['act'] {
  const flat = text.toLowerCase().replace(/’/g, "'");
  if (
    /\b(?:useless|ridiculous|awful|terrible|annoy\w*|frustrat\w*|angry|hate|sucks?|wast(?:e|ed|ing)|fed up|give up|stupid|garbage|worst|wtf|damn|ugh+|sick of|still (?:not|doesn't|isn't|won't|broken|wrong|failing)|again and again)\b|!!+/.test(
      flat,
    )
  ) {
    return 'complaint';
  }
  if (
    /\b(?:confus\w+|don't (?:get|understand)|do not understand|doesn't make sense|makes no sense|lost me|i'm lost|unclear|no idea|what do you mean|huh)\b|\?\?+/.test(
      flat,
    )
  )
    return 'confusion';
  if (
    /\b(?:thanks|thank you|thx|cheers|great|perfect|awesome|nice|cool|love it|got it|makes sense|that helped|wonderful|all green|works now|it works|solved|fixed it)\b/.test(
      flat,
    ) &&
    !/\?\s*$/.test(flat)
  )
    return 'thanks';
  if (/^(?:hi|hello|hey|good (?:morning|afternoon|evening))\b[^?]{0,20}$/.test(flat.trim())) return 'greeting';
  if (/\b(?:bye|goodbye|take care|see you|that's it|that is all|that's all)\b/.test(flat) && flat.length < 80) return 'farewell';
  if (/\?|^(?:what|how|why|when|where|who|which|can|could|would|is|are|do|does|did|should|explain|tell me|show me)\b/.test(flat))
    return 'question';
  return 'statement';
}

// The idea that this message names, else the one that the conversation was about when the message points back to it.
function conceptOf({ user, history }: Prompt, act: Plan['act']): Concept | undefined {
  const named = conceptIn(user);
  if (named && named.name !== 'debugging' && act !== 'thanks') return named;
  const earlier = history.findLast((line) => line.role === 'user' && actOf(line.text) !== 'thanks' && conceptIn(line.text) !== undefined);
  const pointsBack =
    act === 'thanks' || /\b(?:it|this|that|these|again|still|example|another)\b/i.test(user) || contentWordsOf(user).length < 3;
  return (earlier && pointsBack ? conceptIn(earlier.text) : undefined) ?? named;
}

function explain(concept: Concept, { history }: Prompt, act: Plan['act']): Plan {
  const { name, simple, again, deeper, analogy, example, step, check, names } = concept;
  // What was said is not said again; when everything was, it is put in other words.
  const fresh = (texts: readonly string[]): readonly string[] => {
    const left = texts.filter((text) => !history.some((line) => line.role === 'assistant' && line.text.includes(text)));
    return left.length > 0 ? left : [again, ...texts];
  };
  return {
    kind: 'explain',
    topic: name === 'debugging' ? 'a bug like that' : withArticle(name),
    basic: fresh([simple, analogy, example, again]),
    middle: fresh([simple, example, analogy, deeper, again]),
    deep: fresh([deeper, example, simple, analogy]),
    again,
    example,
    analogy,
    step,
    check,
    clarify: `Which part of ${withArticle(name)} should we look at first, the idea or your own code?`,
    names,
    act,
  };
}

function support(prompt: Prompt, act: Plan['act']): Plan {
  const { user, history, guidance } = prompt;
  const { topic, before, given, missing } = supportMatter(prompt);
  if (act === 'farewell' || (act === 'thanks' && given.size === 0)) {
    return plain(
      'courtesy',
      act,
      topic?.matter ?? 'your request',
      [act === 'farewell' ? 'Take care, and write again whenever something comes up.' : 'You are welcome.'],
      'Is there anything else on your mind?',
    );
  }
  const heard = given.size > 0 && before !== undefined ? [`I have noted your ${list([...given])}.`] : [];
  const matter = topic ? [`This is about ${topic.matter}.`] : [`You write: “${shortened(user, 90)}”`];
  // A rule of the house that the prompt states is worth more than what we know.
  const rule = topic
    ? guidance
        .filter((one) => one.verb === undefined && !/^you\b/i.test(one.text) && topic.cues.test(one.text.toLowerCase()))
        .map((one) => one.text)[0]
    : undefined;
  const said = (text: string): boolean => saidBefore(history).some((line) => line.includes(text));
  const rest = topic
    ? [
        `I have what I need: the next thing is to ${topic.next}. I cannot see the account from here, so a colleague with access confirms it.`,
        `Nothing more is missing: what remains is to ${topic.next}.`,
      ]
    : [];
  const need =
    topic === undefined
      ? 'Tell me what it is about, an order, a payment or your account, and I look for the right way.'
      : missing.length > 0
        ? `To go on I need your ${list(missing)}.`
        : (rest.find((text) => !said(text)) ?? 'It stays as I said, and nothing is forgotten.');
  const house = rule !== undefined && !said(rule) ? [rule] : [];
  const first = missing[0];
  return {
    kind: 'support',
    topic: topic?.matter ?? 'this',
    basic: [...heard, ...house, need],
    middle: [...(heard.length > 0 ? heard : matter), ...house, need],
    deep: [...heard, ...matter, ...house, topic?.background ?? '', need].filter((sentence) => sentence !== ''),
    core: need,
    step: first ? `send me your ${first}` : topic ? `wait for the word of my colleague` : 'tell me in one sentence what happened',
    example:
      first === 'order number' ? 'The order number stands at the top of the confirmation, ten digits such as 0000000000.' : undefined,
    check: missing.length > 0 ? 'Do you have that at hand?' : 'Is that all right for you?',
    clarify: topic ? `Which order is it, if there are several?` : 'Is it about an order, a payment or your account?',
    names: [],
    act,
  };
}

function courtesy({ personaName, user }: Prompt, act: Plan['act'], concept: Concept | undefined): Plan {
  const topic = concept ? withArticle(concept.name) : 'what you have in mind';
  const next = concept
    ? `If you want to go one further: ${lowerFirst(concept.step)}`
    : 'Ask me about any idea of programming that is in your way.';
  const greeting = `Hello${personaName ? `, I am ${personaName}` : ''}.`;
  const first =
    act === 'greeting'
      ? greeting
      : act === 'farewell'
        ? 'Goodbye, and good luck with it.'
        : 'You are welcome, and well done for staying with it.';
  const body = act === 'farewell' ? [first] : [first, next];
  return {
    ...plain('courtesy', act, topic, body, 'What would you like to look at now?'),
    step: concept?.step,
    clarify: `What of “${shortened(user, 40)}” matters most to you?`,
  };
}

/** With nothing known about the matter, the user's own words are what there is to work with. */
function reflect({ user, retrieved }: Prompt, act: Plan['act']): Plan {
  const words = contentWordsOf(user);
  const source = retrieved.map((text) => ({ text, share: overlapOf(text, user) })).sort((a, b) => b.share - a.share)[0];
  if (source && source.share > 0.2) return plain('recall', act, 'that', [shortened(source.text, 240)], 'Does that answer it?');
  const key = list(words.slice(0, 3).map((word) => `“${word}”`)) || 'your message';
  const quoted = shortened(user, 100);
  return {
    kind: 'reflect',
    topic: words[0] ?? 'this',
    basic: [`You write about ${key}.`],
    middle: [
      `You write: “${quoted}”`,
      `I have rules and no knowledge of ${key}, so I take it apart with you: what is given, what is wanted, and what stands between the two.`,
    ],
    deep: [
      `In “${quoted}” I see ${key} as the matter.`,
      'Separate what you observed from what you concluded, and test the conclusion that everything else rests on.',
    ],
    step: `say in one sentence what should happen with ${words[0] ?? 'it'}, and what happens instead`,
    example: `For instance: “I expected A for ${words[0] ?? 'it'}, and I got B.”`,
    check: 'Is that the heart of it?',
    clarify: `What do you already know about ${key}?`,
    names: words.slice(0, 3),
    act,
  };
}

// “Who are you?”: what the prompt says of the persona, and what stands behind it.
function introduced({ user, system, personaName }: Prompt): readonly string[] | undefined {
  if (!/\bwho are you\b|\bwhat(?:['’]s| is) your name\b|\bwhat are you\b/i.test(user)) return undefined;
  const role = /\byou are ((?:a|an|the|\p{Lu}[\p{L}]+,)[^.\n]*)/iu.exec(system)?.[1];
  const name = personaName && !role?.startsWith(personaName) ? `${personaName}, ` : '';
  return [`I am ${name}${role ?? 'an assistant'}.`, 'Behind me are rules and no language model.'];
}

const DATED =
  /\b(?:\d{1,2}(?::\d{2}|\s?[ap]m)|every (?:day|morning|evening|week)|today|tomorrow|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|\d{4}-\d{2}-\d{2})\b/i;

// “What is on my plate today?”: remembered lines that name a time.
function agenda({ memory, user }: Prompt): string | undefined {
  if (!/\b(?:on my (?:plate|list)|agenda|my schedule|coming up|planned|what do i have)\b/i.test(user)) return undefined;
  const dated = memory.filter(({ text }) => DATED.test(text)).map(({ text }) => text.replace(/\.$/, ''));
  return dated.length === 0 ? 'My notes hold nothing with a time.' : `From my notes: ${dated.slice(0, 4).join('; ')}.`;
}

// A question that a remembered line answers: the line that shares most words with it.
function recalled({ memory, user }: Prompt): string | undefined {
  const isQuestion = /\?\s*$|^(?:what|who|when|where|which|do you (?:remember|know)|tell me)\b/i.test(user.trim());
  if (!isQuestion || memory.length === 0) return undefined;
  const personal = /\b(?:my|i|me|we|our|remember|noted?|memory|told you)\b/i.test(user);
  const best = memory.map(({ text }) => ({ text, share: overlapOf(text, user) })).sort((a, b) => b.share - a.share)[0];
  return best && best.share >= (personal ? 0.3 : 0.6) ? `From my notes: ${best.text.replace(/\.$/, '')}.` : undefined;
}

function plain(kind: Plan['kind'], act: Plan['act'], topic: string, body: readonly string[], check: string): Plan {
  return {
    kind,
    act,
    topic,
    basic: body,
    middle: body,
    deep: body,
    step: kind === 'courtesy' ? 'write again as soon as anything changes' : undefined,
    check,
    clarify: `What else should I know about ${topic}?`,
    names: [],
  };
}

const UNCOUNTED: ReadonlySet<string> = new Set(['recursion', 'debugging', 'scope', 'complexity', 'version control']);
function withArticle(name: string): string {
  return UNCOUNTED.has(name) ? name : `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

function list(items: readonly (string | Detail)[]): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** Texts of the assistant so far. */
export function saidBefore(history: readonly Line[]): readonly string[] {
  return history.filter((line) => line.role === 'assistant').map((line) => line.text);
}
