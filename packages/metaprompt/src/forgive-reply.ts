import { parseMood, parseSkillLevel, parseTaskComplexity } from '@x/core';
import { extractJson } from '@x/core/schema';
import { EXPLANATIONS, type JsonSchema } from './output-schema.js';

const WORDS: readonly (readonly [field: string, parse: (value: unknown) => string | undefined])[] = [
  ['updatedGmiMood', parseMood],
  ['updatedUserSkillLevel', parseSkillLevel],
  ['updatedTaskComplexity', parseTaskComplexity],
];

/** What a model puts where it has nothing to change, having to fill every field. */
const NO_CHANGE = /^(?:n\/?a|none|null|nil|unchanged|no[ _-]?changes?|same|keep)$/i;

/**
 * Reads a reply that breaks its schema only by a word that state does not know, such as the mood `helpful`, or by leaving
 * out an explanation. As in the seed, the word changes nothing and the rest stands; who applies the reply tells of it.
 * A word that says `no change` is left out.
 *
 * @returns `undefined` when it breaks more, or when nothing of use would be left and the reply did not say so.
 */
export function forgiveReply(text: string, schema: JsonSchema): { readonly [field: string]: unknown } | undefined {
  const properties = schema['properties'] as { readonly [name: string]: JsonSchema } | undefined;
  if (!properties) return undefined;
  const anyWord = WORDS.filter(([field]) => properties[field]).map(([field]) => [field, { type: 'string' }] as const);
  const required = Array.isArray(schema['required']) ? schema['required'].filter((name) => !EXPLANATIONS.includes(String(name))) : [];
  let value: { readonly [field: string]: unknown };
  try {
    value = extractJson(text, { ...schema, properties: { ...properties, ...Object.fromEntries(anyWord) }, required }) as typeof value;
  } catch {
    return undefined;
  }
  let isOfUse = Array.isArray(value['newMemoryImprints']) && value['newMemoryImprints'].length > 0;
  let saysNothing = false;
  let isClear = true;
  for (const [field, parse] of WORDS) {
    const given = value[field];
    if (given === undefined) continue;
    if (typeof given === 'string' && NO_CHANGE.test(given.trim())) {
      saysNothing = true;
      const { [field]: _none, ...rest } = value;
      value = rest;
      continue;
    }
    const word = parse(given);
    if (word === undefined) {
      isClear = false;
      continue;
    }
    const offered: unknown = properties[field]?.['enum'];
    // A word of the vocabulary that this schema leaves out was left out on purpose.
    if (Array.isArray(offered) && !offered.some((one) => parse(one) === word)) return undefined;
    isOfUse = true;
  }
  return isOfUse || (saysNothing && isClear) ? value : undefined;
}
