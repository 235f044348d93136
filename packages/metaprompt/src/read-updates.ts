import {
  type AgentState,
  applyOperation,
  isAgentosError,
  type Json,
  namesSecret,
  type Operation,
  ownValue,
  parseMood,
  parseSkillLevel,
  parseTaskComplexity,
  plainName,
  REDACTED,
  redactSecrets,
  toJson,
} from '@x/core';
import { clip } from './fence.js';
import { EXPLANATIONS, RATIONALE_CHARS } from './output-schema.js';

/** Part of a reply that state does not take, and why. The value itself is not repeated. */
export interface Refusal {
  readonly field: string;
  readonly reason: string;
}

export interface ReadUpdates {
  /** In the order mood, skill, complexity, imprints; only those that change something. */
  readonly operations: readonly Operation[];
  readonly refusals: readonly Refusal[];
  /** First of the rationale and the four strategies; `''` when there is none. */
  readonly rationale: string;
}

export interface ReadUpdatesOptions {
  readonly allowedMoods?: readonly string[] | undefined;
  readonly evidence?: ReadonlySet<string> | undefined;
  /** Whether only the assistant has said this; then an imprint of it is refused. */
  readonly assistantAlone?: ((claim: string) => boolean) | undefined;
  /** True where nothing that lasts may change: then everything but the mood is refused. Default false. */
  readonly moodOnly?: boolean | undefined;
}

/** Most imprints that one reply may make. Ours. */
export const IMPRINTS_PER_REPLY = 8;

const LASTING = ['updatedUserSkillLevel', 'updatedTaskComplexity', 'newMemoryImprints'];

/**
 * Turns a reply into operations. Each field is judged alone, against the vocabularies, the persona's moods and the
 * rules of state; nothing is applied here.
 *
 * @param options.allowedMoods - Moods that the persona allows; default all.
 * @param options.evidence - Ids of what the user said; then an imprint that names none of them, or another, is refused.
 */
export function readUpdates(
  reply: { readonly [field: string]: unknown },
  state: AgentState,
  { allowedMoods, evidence, assistantAlone, moodOnly = false }: ReadUpdatesOptions = {},
): ReadUpdates {
  const operations: Operation[] = [];
  const refusals: Refusal[] = [];
  const refuse = (field: string, reason: string): void => void refusals.push({ field, reason });

  const mood = read(reply, 'updatedGmiMood', parseMood, 'is not a mood', refuse);
  if (mood !== undefined && allowedMoods && !allowedMoods.some((allowed) => parseMood(allowed) === mood))
    refuse('updatedGmiMood', 'is not among the moods that the persona allows');
  else if (mood !== undefined && mood !== state.mood) operations.push({ set: 'mood', to: mood });
  const lasting = moodOnly ? {} : reply;
  if (moodOnly)
    for (const field of LASTING)
      if ((ownValue(reply, field) ?? '') !== '') refuse(field, 'lasts, and was brought about by somebody who is not the owner');
  const skill = read(lasting, 'updatedUserSkillLevel', parseSkillLevel, 'is not a skill level', refuse);
  if (skill !== undefined && skill !== state.skill) operations.push({ set: 'skill', to: skill });
  const complexity = read(lasting, 'updatedTaskComplexity', parseTaskComplexity, 'is not a task complexity', refuse);
  if (complexity !== undefined && complexity !== state.complexity) operations.push({ set: 'complexity', to: complexity });

  let next = state;
  for (const [index, item] of imprintsOf(lasting, refuse).entries()) {
    const field = `newMemoryImprints[${index}]`;
    try {
      const operation = imprintOf(item, next);
      if (typeof operation === 'string') {
        refuse(field, operation);
        continue;
      }
      if (evidence && !restsOn(item, evidence)) {
        refuse(field, 'rests on nothing that the user said');
        continue;
      }
      if ('imprint' in operation && assistantAlone && textsIn(operation.value).some(assistantAlone)) {
        refuse(field, 'was said by the assistant alone');
        continue;
      }
      next = applyOperation(next, operation).state;
      operations.push(operation);
    } catch (error) {
      if (!isAgentosError(error)) throw error;
      // Messages of json_value_invalid say where in the value, in words of the reply.
      refuse(field, error.code === 'json_value_invalid' ? 'holds a value that JSON cannot keep' : error.message);
    }
  }
  const rationale = EXPLANATIONS.map((name) => ownValue(reply, name)).find((text) => typeof text === 'string' && text.trim() !== '');
  return { operations, refusals, rationale: clip(redactSecrets(String(rationale ?? '')).text, RATIONALE_CHARS) };
}

/** True when the mood was named, be it the one that holds already: naming it again renews it. */
export function namesMood(reply: { readonly [field: string]: unknown }, mood: string): boolean {
  return parseMood(ownValue(reply, 'updatedGmiMood')) === mood;
}

function read<T>(
  reply: { readonly [field: string]: unknown },
  field: string,
  parse: (value: unknown) => T | undefined,
  problem: string,
  refuse: (field: string, reason: string) => void,
): T | undefined {
  const value = ownValue(reply, field);
  if (value === undefined || value === null || value === '') return undefined;
  const parsed = parse(value);
  if (parsed === undefined) refuse(field, problem);
  return parsed;
}

function imprintsOf(reply: { readonly [field: string]: unknown }, refuse: (field: string, reason: string) => void): readonly unknown[] {
  const list = ownValue(reply, 'newMemoryImprints');
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) {
    refuse('newMemoryImprints', 'is not a list');
    return [];
  }
  if (list.length > IMPRINTS_PER_REPLY) refuse('newMemoryImprints', `holds ${list.length} entries; the first ${IMPRINTS_PER_REPLY} count`);
  return list.slice(0, IMPRINTS_PER_REPLY);
}

/** The operation, or what is wrong with the shape. */
function imprintOf(item: unknown, { imprints }: AgentState): Operation | string {
  if (typeof item !== 'object' || item === null) return 'is no object';
  const fields = item as { readonly [field: string]: unknown };
  const key = ownValue(fields, 'key');
  if (typeof key !== 'string') return 'has no key';
  const value = toJson(ownValue(fields, 'value'));
  if (isEmpty(value)) return 'says nothing';
  const name = knownAs(key.trim(), imprints);
  return { imprint: name, value: namesSecret(name) ? REDACTED : redactValue(value) };
}

/** The texts of a value, wherever they stand in it. */
function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What models put where they have nothing to say, having to fill every field. */
function isEmpty(value: Json): boolean {
  if (typeof value === 'string') return /^(?:n\/?a|none|null|undefined|unknown|not specified)?$/i.test(value.trim());
  return value === null || (typeof value === 'object' && Object.values(value).every(isEmpty));
}

/** `Favourite Tea` is `favourite_tea` where that is known already, so that no fact stands twice. */
function knownAs(key: string, imprints: AgentState['imprints']): string {
  if (Object.hasOwn(imprints, key)) return key;
  return Object.keys(imprints).find((known) => plainName(known) === plainName(key)) ?? key;
}

function restsOn(item: unknown, evidence: ReadonlySet<string>): boolean {
  const named = ownValue(item as { readonly [field: string]: unknown }, 'evidence');
  return Array.isArray(named) && named.length > 0 && named.every((id) => evidence.has(id));
}

function redactValue(value: Json): Json {
  if (typeof value === 'string') return redactSecrets(value).text;
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, namesSecret(name) ? REDACTED : redactValue(item)]));
}
