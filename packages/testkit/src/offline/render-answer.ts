import type { Plan } from './plan-answer.js';
import { capitalised, hashOf } from './sentences.js';
import type { Style } from './style.js';

/** What a reply looks back on. */
export interface Before {
  /** What the assistant said last; openings and questions are not used twice in a row. */
  readonly last: string;
  /** Chooses among equal wordings; the user's text. */
  readonly seed: string;
}

/** Writes a plan in a style. */
export function renderAnswer(plan: Plan, style: Style, before: Before): string {
  const opening = openingOf(plan, style, before);
  const closing = closingOf(plan, style, before);
  const body = bodyOf(plan, style, opening.length + closing.length);
  const most = style.sentences ?? style.maxSentences ?? Number.POSITIVE_INFINITY;
  const sentences = most === 1 ? body.slice(0, 1) : [...opening, ...body].slice(0, Math.max(1, most - closing.length));
  const end = most === 1 ? [] : closing;
  const allowed = (list: readonly string[]): readonly string[] =>
    list.map((sentence) => reworded(sentence, style)).filter((sentence) => !style.banned.some((word) => has(sentence, word)));
  const kept = allowed(sentences);
  const left = kept.length > 0 ? kept : sentences.map((sentence) => without(sentence, style.banned));
  let text = arranged(joinedAfterColon(left), opening.length, style);
  const question = allowed(end);
  if (question.length > 0) text += `${text.includes('\n') ? '\n' : ' '}${question.join(' ')}`;
  if (style.maxWords !== undefined) text = firstWords(text, style.maxWords);
  for (const start of style.starts) text = `${start}${/[.!?,:…]$/.test(start) ? '' : ':'} ${text}`;
  for (const word of style.mentions) if (!has(text, word)) text += ` (${capitalised(word)}.)`;
  for (const last of style.ends) text += ` ${last}${/[.!?…]$/.test(last) ? '' : '.'}`;
  return finished(text, style);
}

function openingOf({ act, topic, kind }: Plan, style: Style, { last, seed }: Before): readonly string[] {
  const choose = (choices: readonly string[]): string => {
    const unused = choices.filter((choice) => !last.includes(choice));
    const left = unused.length > 0 ? unused : choices;
    return left[hashOf(seed) % left.length] ?? '';
  };
  const troubled = act === 'complaint' || act === 'confusion';
  const opening: string[] = [];
  if (style.apologise) opening.push(choose([`I am sorry for the trouble with ${topic}.`, `My apologies for the trouble around ${topic}.`]));
  if (style.acknowledge === 1 && kind !== 'courtesy') opening.push(choose(['I hear you.', 'I understand.']));
  if (style.acknowledge >= 2)
    opening.push(choose(kind === 'courtesy' ? AFTERWARDS : kind === 'support' || kind === 'recall' ? NUISANCE : hardPart(topic, troubled)));
  if (style.acknowledge === 3) opening.push('Take the time that you need.');
  if (style.thank) opening.push('Thank you for writing.');
  if (style.encourage)
    opening.push(
      choose([troubled ? 'You are closer than it feels.' : 'You are on a good way.', 'Good that you ask, that is how it gets clear.']),
    );
  if (style.restate) opening.push(`You are asking about ${topic}.`);
  if (kind !== 'courtesy') {
    if (style.pace === 'slow') opening.push(choose(SLOWLY));
    if (style.pace === 'quick') opening.push(choose(['I pass over the basics.', 'Straight past the beginnings:']));
    if (style.nonObvious) opening.push('The part that is easy to miss:');
    if (style.direct && opening.length === 0) opening.push(choose(['In short:', 'Briefly:']));
  }
  const greeting =
    style.register === 'formal'
      ? style.address
        ? `Dear ${style.address},`
        : 'Good day.'
      : style.register === 'casual'
        ? `Hey ${style.address ?? 'there'}!`
        : style.address
          ? `${style.address},`
          : undefined;
  return greeting === undefined ? opening : [[greeting, ...opening.slice(0, 1)].join(' '), ...opening.slice(1)];
}

const SLOWLY = ['Let us go slowly.', 'One small piece, then.', 'Step by step.', 'We have time for this.'] as const;
const AFTERWARDS = ['It was not an easy matter.', 'Thank you for your patience with it.'] as const;
const NUISANCE = [
  'I understand that this is a nuisance.',
  'I see how much trouble this makes for you.',
  'That must be tiresome, and I want to help.',
] as const;

function hardPart(topic: string, troubled: boolean): readonly string[] {
  return [
    `That is a hard part, and being stuck on ${topic} says nothing against you.`,
    troubled ? `I see that ${topic} is costing you nerves, and that is understandable.` : `It is fair to find ${topic} hard at first.`,
    `Many people need several tries at ${topic}, so let us take it gently.`,
  ];
}

/** Sentences of a plain answer. The figure is ours. */
const USUAL_FACTS = 2;

function bodyOf(plan: Plan, style: Style, around: number): readonly string[] {
  const { example, analogy, step, names } = plan;
  const facts = style.anew && plan.again ? [plan.again, ...plan[style.level].filter((fact) => fact !== plan.again)] : plan[style.level];
  const core = plan.core ?? facts[0] ?? '';
  const usual = style.oneConcept ? 1 : USUAL_FACTS;
  const chosen = new Set<string>(
    style.shorter
      ? [core]
      : style.oneConcept && plan.core
        ? [core]
        : facts.slice(0, Math.max(usual, plan.core === undefined ? 0 : facts.length)),
  );
  // What is asked for takes the place of the second fact, unless both have room.
  const add = (sentence: string): void => {
    if (chosen.has(sentence)) return;
    const last = [...chosen].at(-1);
    if (!style.detailed && chosen.size > 1 && last !== undefined && last !== core) chosen.delete(last);
    chosen.add(sentence);
  };
  if (style.detailed) for (const fact of [...plan.middle, ...plan.deep]) chosen.add(fact);
  if (style.analogy === true && analogy) add(analogy);
  if (style.example === true && example) add(example);
  if (style.example === false && example) chosen.delete(example);
  if (style.analogy === false && analogy) chosen.delete(analogy);
  if (chosen.size === 0) chosen.add(core);
  if (style.names && names.length > 0) chosen.add(`Look up: ${names.join(', ')}.`);
  if (style.oneStep && step) chosen.add(`${style.exercise ? 'An exercise for you' : 'One step for now'}: ${lower(step)}`);
  else if (style.detailed && step) chosen.add(`Then ${lower(step)}`);
  if (plan.kind === 'courtesy' && style.pace === 'slow') chosen.add('There is no hurry.');
  if (style.recap) chosen.add(`In one line: ${lower(plan.basic[0] ?? '')}`);
  for (const more of [...facts, ...plan.middle, ...plan.deep, example, analogy]) {
    if (style.sentences === undefined || chosen.size + around >= style.sentences) break;
    if (more) chosen.add(more);
  }
  return [...chosen].map((sentence) => (/[.!?…”):]$/.test(sentence) ? sentence : `${sentence}.`));
}

function closingOf(plan: Plan, style: Style, { last, seed }: Before): readonly string[] {
  if (style.ask === undefined || style.ask === 'none') return [];
  const open = [`What would you like to try with ${plan.topic} next?`, 'What do you make of that so far?', 'Where would you go from here?'];
  const asked = {
    clarify: [plan.clarify, 'What should I know about it first?'],
    check: [plan.check ?? 'Does that make sense so far?', 'Does that make sense so far?', 'How would you say it in your own words?'],
    open: [...open.slice(hashOf(seed) % open.length), ...open],
  }[style.ask];
  const question = asked.find((one) => !last.includes(one)) ?? asked[0] ?? '';
  if (!style.askTwice) return [question];
  const again = ['Tell me before we go on.', 'I wait for your answer before the next piece.', 'Try to say it in your own words first.'];
  const left = again.filter((one) => !last.includes(one));
  return [question, left[hashOf(seed) % left.length] ?? ''];
}

// After “In short:” the sentence goes on.
function joinedAfterColon(sentences: readonly string[]): readonly string[] {
  const done: string[] = [];
  for (const sentence of sentences) {
    const previous = done.at(-1);
    if (previous?.endsWith(':')) done[done.length - 1] = `${previous} ${lower(sentence)}`;
    else done.push(sentence);
  }
  return done;
}

function arranged(sentences: readonly string[], openings: number, style: Style): string {
  if (style.list === undefined || style.list === 'none' || sentences.length < 2) return sentences.join(' ');
  const head = sentences.slice(0, Math.min(openings, 1, sentences.length - 1));
  const items = sentences.slice(head.length).map((sentence, index) => `${style.list === 'numbers' ? `${index + 1}.` : '-'} ${sentence}`);
  return [...head, ...items].join('\n');
}

function finished(text: string, style: Style): string {
  let done = text;
  if (style.exclaim === true) done = done.replace(/\.(?=\s|$)/, '!');
  if (style.exclaim === false) done = done.replace(/!+/g, '.');
  if (style.emoji) done += ' 🙂';
  if (style.signature) done += `\n— ${style.signature}`;
  const frame = style.language === undefined ? undefined : FRAMES[style.language];
  if (frame) done = `${frame[0]}\n${done}\n${frame[1]}`;
  if (style.casing === 'upper') done = done.toUpperCase();
  if (style.casing === 'lower') done = done.toLowerCase();
  return done;
}

const GERMAN = ['Gern. Meine Regeln sind auf Englisch geschrieben, darum folgt der Inhalt so:', 'Ist das verständlich?'] as const;
const FRENCH = ['Volontiers. Mes règles sont écrites en anglais, voici donc le contenu ainsi :', 'Est-ce que c’est clair ?'] as const;
const SPANISH = ['Con gusto. Mis reglas están escritas en inglés, así que el contenido va así:', '¿Se entiende?'] as const;
// Its own words are English; in another language it can say that much.
const FRAMES: { readonly [language: string]: readonly [string, string] } = {
  german: GERMAN,
  deutsch: GERMAN,
  french: FRENCH,
  français: FRENCH,
  spanish: SPANISH,
  español: SPANISH,
};

function reworded(sentence: string, { replaced }: Style): string {
  return replaced.reduce(
    (text, [from, to]) => text.replace(new RegExp(`\\b${escaped(from)}(s?)\\b`, 'gi'), (_all, plural: string) => to + plural),
    sentence,
  );
}

function has(text: string, word: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}`, 'iu').test(text);
}

function without(sentence: string, words: readonly string[]): string {
  return words.reduce((text, word) => text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}[\\p{L}]*`, 'giu'), 'it'), sentence);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function firstWords(text: string, count: number): string {
  const words = text.split(/(?<=\S)(?=\s)/);
  return words.length <= count
    ? text
    : `${words
        .slice(0, count)
        .join('')
        .replace(/[,;:.!?]+$/, '')}.`;
}

function lower(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
