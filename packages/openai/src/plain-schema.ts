import type { ObjectSchema, ToolSpec } from '@x/core';
import { type Fields, isFields } from './read-answer.js';

/**
 * The schema in the words that Google takes: one that it does not know has the whole request refused. What it cannot say is left
 * out or said more loosely, since the tool checks its arguments itself: references are written out, a constant is a choice of one,
 * a bound that is excluded is included.
 *
 * @remarks Source: ai.google.dev/api/caching#Schema, and the refusals that users reported.
 */
export function plainSchema(schema: ObjectSchema): ObjectSchema {
  const plain = plainForm(schema) as Fields;
  return { ...plain, type: 'object', properties: (isFields(plain['properties']) ? plain['properties'] : {}) as ObjectSchema['properties'] };
}

/** The same for a schema of any type, such as that of a reply. */
export function plainForm(schema: unknown): unknown {
  if (!isFields(schema)) return schema;
  // Definitions that refer to each other in many ways would not end for long: they are written out as deep as there is room for.
  for (let deepest = DEEPEST_REFERENCE; deepest > 0; deepest -= 1) {
    const room = { left: MOST_REFERRED };
    const plain = plainOf(schema, { root: schema, within: [], deepest, room });
    if (room.left >= 0) return plain;
  }
  return plainOf(schema, { root: schema, within: [], deepest: 0, room: { left: 0 } });
}

/** References inside of references, and parts that all of them together may be written out to. The figures are ours. */
const DEEPEST_REFERENCE = 12;
const MOST_REFERRED = 2_000;

/** `schemaOf` with a second form, made once for each schema. */
export function withPlainForm(schemaOf: (tool: ToolSpec) => ObjectSchema): (tool: ToolSpec, isPlain: boolean) => ObjectSchema {
  const known = new WeakMap<ObjectSchema, ObjectSchema>();
  return (tool, isPlain) => {
    const schema = schemaOf(tool);
    if (!isPlain) return schema;
    const plain = known.get(schema) ?? plainSchema(schema);
    known.set(schema, plain);
    return plain;
  };
}

interface Place {
  readonly root: Fields;
  /** The references that led here: one of them again is a schema without end. */
  readonly within: readonly string[];
  /** How many references may lead to a part. */
  readonly deepest: number;
  readonly room: { left: number };
}

type Draft = { [keyword: string]: unknown };

const KEPT = ['title', 'description', 'nullable', 'minItems', 'maxItems', 'minLength', 'maxLength', 'pattern', 'minimum', 'maximum'];
const FORMATS: ReadonlySet<unknown> = new Set(['date-time', 'enum', 'int32', 'int64', 'float', 'double']);

function plainOf(given: unknown, place: Place): Draft {
  if (!isFields(given)) return {};
  if (place.within.length > 0) place.room.left -= 1;
  const { $ref: reference } = given;
  if (typeof reference === 'string') return referred(given, reference, place);
  const draft: Draft = {};
  for (const keyword of KEPT) if (given[keyword] !== undefined) draft[keyword] = given[keyword];
  if (FORMATS.has(given['format'])) draft['format'] = given['format'];
  typed(draft, given);
  bounded(draft, given);
  chosen(draft, given);
  if (isFields(given['properties'])) propertied(draft, given, given['properties'], place);
  if (draft['type'] === 'array') draft['items'] = isFields(given['items']) ? plainOf(given['items'], place) : { type: 'string' };
  united(draft, given, place);
  if (draft['properties'] !== undefined) delete draft['anyOf'];
  // Beside a choice nothing but its description may stand.
  if (draft['anyOf'] !== undefined)
    for (const keyword of Object.keys(draft)) if (!['anyOf', 'description', 'title', 'nullable'].includes(keyword)) delete draft[keyword];
  return draft;
}

/** What may make a part larger than itself; one without them is written out wherever it stands. */
const HOLDING = ['properties', 'items', 'anyOf', 'oneOf', 'allOf', '$ref'];

function referred(given: Fields, reference: string, place: Place): Draft {
  const { $ref: _reference, ...beside } = given;
  const { root, within, deepest, room } = place;
  const found = at(root, reference) ?? { type: 'object' };
  const isOpen = within.length < deepest && room.left >= 0 && !within.includes(reference);
  if (!isOpen && HOLDING.some((keyword) => found[keyword] !== undefined))
    return {
      ...plainOf(beside, place),
      ...(found['type'] === 'array' ? { type: 'array', items: { type: 'object' } } : { type: 'object' }),
    };
  return { ...plainOf(found, { ...place, within: [...within, reference] }), ...plainOf(beside, place) };
}

/** What a reference into the same schema points at. */
function at(root: Fields, reference: string): Fields | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let found: unknown = root;
  for (const step of reference.slice(2).split('/')) {
    const name = step.replace(/~1/g, '/').replace(/~0/g, '~');
    found = isFields(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return isFields(found) ? found : undefined;
}

// A list of types is a choice; "null" among them is a mark of its own.
function typed(draft: Draft, { type }: Fields): void {
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string');
  const others = types.filter((one) => one !== 'null');
  if (others.length < types.length) draft['nullable'] = true;
  if (others.length === 1) [draft['type']] = others;
  else if (others.length > 1)
    draft['anyOf'] = others.map((one) => (one === 'array' ? { type: one, items: { type: 'string' } } : { type: one }));
}

function bounded(draft: Draft, { type, exclusiveMinimum: above, exclusiveMaximum: below }: Fields): void {
  const step = type === 'integer' ? 1 : 0;
  if (typeof above === 'number') draft['minimum'] ??= above + step;
  if (typeof below === 'number') draft['maximum'] ??= below - step;
}

// Only texts can be chosen from, and none that is empty.
function chosen(draft: Draft, { const: constant, enum: choices }: Fields): void {
  const all = Array.isArray(choices) ? choices : constant === undefined ? [] : [constant];
  if (all.includes(null)) draft['nullable'] = true;
  const some = all.filter((choice) => choice !== null);
  const [first] = some;
  if (draft['type'] === undefined && first !== undefined) draft['type'] = typeof first;
  if (draft['type'] !== 'string') return;
  const texts = some.filter((choice) => typeof choice === 'string' && choice !== '');
  if (texts.length > 0 && texts.length === some.length) draft['enum'] = texts;
}

function propertied(draft: Draft, { required }: Fields, properties: Fields, place: Place): void {
  draft['type'] ??= 'object';
  draft['properties'] = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, plainOf(one, place)]));
  const known = Array.isArray(required) ? required.filter((name) => Object.hasOwn(properties, String(name))) : [];
  if (known.length > 0) draft['required'] = known;
}

function united(draft: Draft, { anyOf, oneOf, allOf }: Fields, place: Place): void {
  for (const part of listOf(allOf)) {
    const { properties, required, ...rest } = plainOf(part, place);
    const own = { ...(isFields(draft['properties']) && draft['properties']), ...(isFields(properties) && properties) };
    const names = [...new Set([...listOf(draft['required']), ...listOf(required)])];
    Object.assign(draft, { ...rest, ...draft }, properties !== undefined && { properties: own }, names.length > 0 && { required: names });
  }
  const given = [...listOf(anyOf), ...listOf(oneOf)];
  const branches = given.filter((one) => !(isFields(one) && one['type'] === 'null'));
  if (branches.length < given.length) draft['nullable'] = true;
  const plain = branches.map((branch) => plainOf(branch, place)).filter((branch) => Object.keys(branch).length > 0);
  const texts = plain.flatMap(({ type, enum: choices }) => (type === 'string' && Array.isArray(choices) ? [choices] : []));
  if (plain.length > 1 && texts.length === plain.length) Object.assign(draft, { type: 'string', enum: [...new Set(texts.flat())] });
  else if (plain.length === 1) Object.assign(draft, { ...plain[0], ...draft });
  else if (plain.length > 1) draft['anyOf'] = plain;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
