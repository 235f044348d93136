import { nearestWord, parseMood } from '@x/core';
import type { PersonaProblem } from './problems.js';
import type { Fields } from './read-yaml-map.js';

/** What the front matter of `SOUL.md` may say. */
export interface SoulHeader {
  readonly name?: string | undefined;
  readonly agentId?: string | undefined;
  readonly role?: string | undefined;
  readonly voice?: string | undefined;
  /** HEXACO scores, 0 to 1, under the names of `TRAIT_NAMES`. */
  readonly traits?: { readonly [trait: string]: number } | undefined;
  readonly defaultMood?: string | undefined;
  readonly allowedMoods?: readonly string[] | undefined;
  /** Rules of the operator that nothing may override. */
  readonly hardLimits?: readonly string[] | undefined;
}

const HEADER_FIELDS = ['name', 'agentId', 'role', 'voice', 'hexaco', 'defaultMood', 'allowedMoods', 'hardLimits'] as const;
/** Unknown fields that are told one by one. */
const TOLD_FIELDS = 20;

const TRAIT_FIELDS: ReadonlyMap<string, string> = new Map([
  // Aliases first: where a header has both, the plain name is read later and wins.
  ['honestyHumility', 'honesty'],
  ['honesty_humility', 'honesty'],
  ['opennessToExperience', 'openness'],
  ['openness_to_experience', 'openness'],
  ['honesty', 'honesty'],
  ['emotionality', 'emotionality'],
  ['extraversion', 'extraversion'],
  ['agreeableness', 'agreeableness'],
  ['conscientiousness', 'conscientiousness'],
  ['openness', 'openness'],
]);

/** Picks the fields that are well formed; each that is not, or that nobody reads, becomes a problem and is left out alone. */
export function readSoulHeader(
  file: string,
  fields: Fields,
): { readonly header: SoulHeader; readonly problems: readonly PersonaProblem[] } {
  const problems: PersonaProblem[] = [];
  const refuse = (field: string, want: string): undefined => {
    problems.push({ code: 'header_field_invalid', file, message: `The field ${field} must be ${want}. It is ignored.` });
    return undefined;
  };
  const text = (field: string): string | undefined => {
    const value = own(fields, field);
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'number') return String(value);
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : refuse(field, 'a text');
  };
  const texts = (field: string): readonly string[] | undefined => {
    const value = own(fields, field);
    if (value === undefined || value === null) return undefined;
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    const good = list.flatMap((item) => plainText(item) ?? []);
    if (good.length < list.length) refuse(field, 'a list of texts');
    return good.length > 0 ? good : undefined;
  };
  const mood = (value: string, field: string): string | undefined => parseMood(value) ?? refuse(field, 'the name of a mood');
  const defaultMood = text('defaultMood');
  const header: SoulHeader = {
    name: text('name'),
    agentId: text('agentId'),
    role: text('role'),
    voice: text('voice'),
    traits: readTraits(own(fields, 'hexaco'), refuse),
    defaultMood: defaultMood === undefined ? undefined : mood(defaultMood, 'defaultMood'),
    allowedMoods: texts('allowedMoods')?.flatMap((item) => mood(item, 'allowedMoods') ?? []),
    hardLimits: texts('hardLimits'),
  };
  problems.push(...unknownFields(file, fields));
  return { header, problems };
}

/** A misspelt field is a rule of the operator that does not hold, so it is told. */
function unknownFields(file: string, fields: Fields): readonly PersonaProblem[] {
  const unknown = Object.keys(fields).filter((field) => !HEADER_FIELDS.some((known) => known === field));
  return unknown.slice(0, TOLD_FIELDS).map((field) => {
    const near = nearestWord(field, HEADER_FIELDS);
    const hint = near === undefined ? `The fields are ${HEADER_FIELDS.join(', ')}.` : `Did you mean ${near}?`;
    return { code: 'header_field_unknown', file, message: `Nobody reads the field ${field.slice(0, 30)}; it is ignored. ${hint}` };
  });
}

/** HEXACO scores under the names that are read, whatever spelling they came in; `refuse` hears of each that is malformed. */
export function readTraits(
  value: unknown,
  refuse: (field: string, want: string) => undefined,
): { readonly [trait: string]: number } | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) return refuse('hexaco', 'a map of the six traits');
  const scores = value as Fields;
  const traits = new Map<string, number>();
  for (const [field, trait] of TRAIT_FIELDS) {
    const score = own(scores, field);
    if (score === undefined) continue;
    if (typeof score === 'number' && score >= 0 && score <= 1) traits.set(trait, score);
    else refuse(`hexaco.${field}`, 'a number from 0 to 1');
  }
  for (const field of Object.keys(scores)) if (!TRAIT_FIELDS.has(field)) refuse(`hexaco.${field.slice(0, 30)}`, 'one of the six traits');
  return traits.size > 0 ? Object.fromEntries(traits) : undefined;
}

/** The lines of a header that belong into the prompt, for the top of the section and for its end. */
export function soulHeaderText({ name, role, voice, hardLimits }: SoulHeader): { readonly top: string; readonly limits: string } {
  const lines = [
    ['Name', name],
    ['Role', role],
    ['Voice', voice],
  ].flatMap(([label, value]) => (value === undefined ? [] : [`${label}: ${value}`]));
  return {
    top: lines.join('\n'),
    limits: hardLimits === undefined ? '' : ['Hard limits:', ...hardLimits.map((rule) => `- ${rule}`)].join('\n'),
  };
}

/** An item of a list of texts as its author meant it: YAML makes a map of a rule with a colon, and numbers of digits. */
function plainText(item: unknown): string | undefined {
  if (typeof item === 'string') return item.trim() === '' ? undefined : item.trim();
  if (typeof item === 'number' || typeof item === 'boolean') return String(item);
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined;
  const [[name, value] = [], ...others] = Object.entries(item);
  const said = others.length > 0 || typeof value === 'object' ? undefined : plainText(value);
  return said && `${name}: ${said}`;
}

const own = (fields: Fields, field: string): unknown => (Object.hasOwn(fields, field) ? fields[field] : undefined);
