import { type Evidence, readEvidence } from './evidence.js';
import type { Prompt } from './read-prompt.js';
import { contentWordsOf, overlapOf, sentencesOf, shortened } from './sentences.js';

/** One field that a prompt asks for. */
interface Field {
  readonly name: string;
  /** The words that it may be, when the prompt lists them. */
  readonly choices: readonly string[];
  /** What the prompt says of it, for telling a number from a text. */
  readonly hint: string;
}

/** Whether the newest text, or the system prompt, asks for a JSON object with named fields. */
export function asksForJson({ system, user }: Prompt, schema: unknown): boolean {
  const text = `${system}\n${user}`;
  return schemaFields(schema ?? schemaInside(system)).length > 0 || (/\bJSON\b/.test(text) && promptFields(text).length > 0);
}

/**
 * Answers with the JSON object that the prompt asks for: the fields that it names, the words that it allows, and
 * values that follow from the evidence in it. Optional fields without evidence are left out.
 */
export function answerJson({ system, user }: Prompt, schema: unknown): string {
  const text = `${system}\n${user}`;
  const listed = schemaFields(schema ?? schemaInside(text));
  const fields = listed.length > 0 ? listed : promptFields(text);
  const evidence = readEvidence(user === '' ? text : user, text);
  const object: { [name: string]: unknown } = {};
  for (const field of fields) {
    const value = valueFor(field, text, evidence);
    if (value !== undefined) object[field.name] = value;
  }
  return JSON.stringify(object);
}

function schemaFields(schema: unknown): readonly Field[] {
  const properties = (
    schema as { properties?: { readonly [name: string]: { readonly enum?: readonly unknown[]; readonly type?: unknown } } } | undefined
  )?.properties;
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    choices: (property.enum ?? []).map(String),
    hint: typeof property.type === 'string' ? property.type : '',
  }));
}

// A schema may also stand in the prompt itself, after the word Schema.
function schemaInside(text: string): unknown {
  const start = text.search(/\bschema\b[^{\n]*\{/i);
  if (start < 0) return undefined;
  const from = text.indexOf('{', start);
  let depth = 0;
  for (let index = from; index < text.length; index += 1) {
    if (text[index] === '{') depth += 1;
    else if (text[index] === '}') depth -= 1;
    if (depth > 0) continue;
    try {
      return JSON.parse(text.slice(from, index + 1));
    } catch {
      return undefined;
    }
  }
  return undefined;
}

// Field names start a line of a list, stand in quotes before a colon, or in a list after the word “fields”.
function promptFields(text: string): readonly Field[] {
  const found = new Map<string, Field>();
  const add = (name: string, hint: string): void => {
    if (!found.has(name)) found.set(name, { name, choices: choicesIn(hint), hint });
  };
  const asked = text.replace(/<data\b[\s\S]*?<\/data>/g, '').replace(/^.*"role".*$/gm, '');
  for (const [, name = '', hint = ''] of asked.matchAll(/^[ \t]*[-*•][ \t]*["'`]?([A-Za-z_]\w{1,40})["'`]?[ \t]*[:(,](.*)$/gm))
    add(name, hint);
  for (const [, name = '', hint = ''] of asked.matchAll(/"([A-Za-z_]\w{1,40})"\??[ \t]*:[ \t]*((?:(?!,\s*"\w+"\??[ \t]*:)[^\n}])*)/g))
    add(name, hint);
  for (const [, list = ''] of asked.matchAll(/\b(?:fields?|keys?|properties)\b[^:\n]{0,30}:[ \t]*([^\n.]+)/gi)) {
    for (const item of list.split(/,|\band\b/)) {
      const [, name = ''] = /^\s*["'`]?([A-Za-z_]\w{1,40})/.exec(item) ?? [];
      if (name !== '') add(name, item);
    }
  }
  return [...found.values()];
}

// A list in brackets, after “one of” or after a colon, or words between bars.
function choicesIn(hint: string): readonly string[] {
  const bracketed = /\[([^\]{}]+)\]|\(([^)]*[|,][^)]*)\)/.exec(hint);
  const spoken = /\bone of:?\s+([^.;\n]+)|:\s*([\w-]+(?:,\s*[\w-]+)+)\s*$/i.exec(hint);
  const bars = /["'`]?[\w-]+["'`]?(?:\s*\|\s*["'`]?[\w-]+["'`]?)+/.exec(hint);
  const text = bracketed?.[1] ?? bracketed?.[2] ?? spoken?.[1] ?? spoken?.[2] ?? bars?.[0] ?? '';
  const items = text.split(/[,|]|\bor\b/).map((item) => item.replace(/["'`\s.]/g, ''));
  return items.length > 1 && items.every((item) => /^[\w-]{1,30}$/.test(item)) ? items : [];
}

function valueFor({ name, choices, hint }: Field, text: string, evidence: Evidence): unknown {
  const { leading, topic } = evidence;
  const best = (wishes: readonly string[]): string | undefined =>
    choices.length === 0 ? wishes[0] : wishes.find((wish) => choices.includes(wish));
  const key = name.toLowerCase();
  if (/mood/.test(key)) return leading === 'none' ? undefined : best(MOODS[leading]);
  if (/skill|level|expertise/.test(key)) return best(evidence.skill === undefined ? [] : [evidence.skill, 'beginner']);
  if (/complexity|difficulty/.test(key)) return best(evidence.complexity === undefined ? [] : [evidence.complexity]);
  if (/imprint|facts?|memor/.test(key))
    return topic === undefined
      ? undefined
      : [{ key: leading === 'satisfaction' ? 'user_learned' : 'user_struggling_with', value: topic, description: evidence.reason }];
  if (/rationale|reason|explanation|why/.test(key)) return evidence.reason;
  if (/strateg/.test(key)) return STRATEGIES[leading](topic === undefined ? 'the matter at hand' : `“${topic}”`);
  if (/polarity|sentiment|tone|emotion/.test(key) && !/score/.test(key))
    return best(evidence.score > 0.05 ? ['positive'] : evidence.score < -0.05 ? ['negative'] : ['neutral']) ?? choices[0];
  if (/score|valence/.test(key)) return evidence.score;
  if (/intensity|arousal/.test(key)) return Math.abs(evidence.score);
  if (/confidence|probability/.test(key)) return leading === 'none' ? 0.4 : 0.7;
  if (/keywords?|topics?|tags?/.test(key)) return contentWordsOf(evidence.said).slice(0, 5);
  if (/summary|gist|abstract/.test(key)) return shortened(sentencesOf(evidence.said)[0] ?? '', 200);
  if (choices.length > 0) return [...choices].sort((a, b) => overlapOf(b, evidence.said) - overlapOf(a, evidence.said))[0];
  if (/class|label|category/.test(key))
    return choicesIn(text.split('\n').find((line) => /class|label|categor|candidate/i.test(line)) ?? '')[0];
  if (/^(?:is|has|should|needs)[A-Z_]/.test(name) || /\bboolean\b/.test(hint)) return leading !== 'none' && leading !== 'satisfaction';
  if (/\b(?:number|integer)\b/.test(hint)) return 0;
  if (/\barray\b/.test(hint)) return [];
  return /\boptional\b/i.test(hint) ? undefined : shortened(evidence.said, 120);
}

const MOODS = {
  frustration: ['empathetic', 'patient', 'analytical', 'neutral'],
  confusion: ['empathetic', 'patient', 'analytical', 'focused', 'neutral'],
  satisfaction: ['curious', 'creative', 'focused', 'neutral'],
  errors: ['analytical', 'focused', 'careful', 'neutral'],
  boredom: ['curious', 'creative', 'playful', 'neutral'],
  none: ['neutral'],
} as const;

const STRATEGIES: { readonly [K in Evidence['leading']]: (topic: string) => string } = {
  frustration: (topic) => `Say first that ${topic} is hard, then offer one small step and wait.`,
  confusion: (topic) => `Explain ${topic} anew from another side, with one example and plain words.`,
  satisfaction: (topic) => `Build on ${topic} with something a little harder.`,
  errors: (topic) => `Go back to the last point at which ${topic} worked, and change one thing at a time.`,
  boredom: (topic) => `Ask an open question about ${topic} and let the user choose the way.`,
  none: (topic) => `Go on with ${topic} as before.`,
};
