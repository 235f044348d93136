/** A parsed JSON Schema, or a part of one. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** True where something else than an object with properties stands at the top. */
export function isUnion({ $ref, anyOf, oneOf, allOf, not }: JsonSchema): boolean {
  return [$ref, anyOf, oneOf, allOf, not].some((keyword) => keyword !== undefined);
}

/**
 * One object in place of a union or a reference: with the properties of all its parts, of which those are required that each part
 * of a choice requires. It lets more pass than the union does; who uses it checks by the schema itself.
 *
 * @returns Of another type where a part is no object.
 */
export function oneObject(schema: JsonSchema): JsonSchema {
  return merged(schema, schema, new Map());
}

/** @param known - What references lead to: each is read once, however many parts have it, and is nothing inside of itself. */
function merged(part: JsonSchema, root: JsonSchema, known: Map<string, JsonSchema | undefined>): JsonSchema {
  const { $ref: reference, anyOf, oneOf, allOf, not: _not, ...own } = part;
  const all = schemasIn(allOf).map((one) => merged(one, root, known));
  if (typeof reference === 'string') {
    const target = known.has(reference) ? undefined : at(root, reference);
    if (target) {
      known.set(reference, undefined);
      known.set(reference, merged(target, root, known));
    }
    const found = known.get(reference);
    if (found) all.push(found);
  }
  for (const choice of [schemasIn(anyOf), schemasIn(oneOf)]) {
    const branches = choice.filter(({ type }) => type !== 'null').map((one) => merged(one, root, known));
    if (branches.length > 0) all.push(eitherOf(branches));
  }
  return all.reduce<JsonSchema>(bothOf, own);
}

function bothOf(one: JsonSchema, other: JsonSchema): JsonSchema {
  const required = [...new Set([...namesIn(one), ...namesIn(other)])];
  return {
    ...other,
    ...one,
    ...typeOf([one, other]),
    properties: joined([one, other], (first, second) => (isSchema(first) && isSchema(second) ? { ...second, ...first } : first)),
    ...(required.length > 0 && { required }),
  };
}

function eitherOf(branches: readonly JsonSchema[]): JsonSchema {
  const [first = {}, ...others] = branches;
  if (others.length === 0) return first;
  const required = namesIn(first).filter((name) => others.every((other) => namesIn(other).includes(name)));
  return { ...typeOf(branches), properties: joined(branches, choiceOf), ...(required.length > 0 && { required }) };
}

// What is no object makes the whole none.
function typeOf(parts: readonly JsonSchema[]): JsonSchema {
  const type = parts.map((part) => part['type']).find((one) => one !== undefined && one !== 'object');
  return type === undefined ? { type: 'object' } : { type };
}

function joined(parts: readonly JsonSchema[], join: (first: unknown, second: unknown) => unknown): JsonSchema {
  const properties = new Map<string, unknown>();
  for (const part of parts) {
    for (const [name, one] of Object.entries(isSchema(part['properties']) ? part['properties'] : {}))
      properties.set(name, properties.has(name) ? join(properties.get(name), one) : one);
  }
  return Object.fromEntries(properties);
}

/** A property that is told in two ways: the values of both where they are listed, such as the word that tells the parts apart. */
function choiceOf(first: unknown, second: unknown): unknown {
  if (!isSchema(first) || !isSchema(second) || JSON.stringify(first) === JSON.stringify(second)) return first;
  const values = [...valuesIn(first), ...valuesIn(second)];
  if (valuesIn(first).length > 0 && valuesIn(second).length > 0) {
    const { const: _constant, ...rest } = first;
    return { ...rest, enum: [...new Set(values)] };
  }
  const choices = Object.keys(first).join() === 'anyOf' ? schemasIn(first['anyOf']) : [first];
  return choices.some((one) => JSON.stringify(one) === JSON.stringify(second)) ? first : { anyOf: [...choices, second] };
}

function valuesIn({ const: constant, enum: values }: JsonSchema): readonly unknown[] {
  return Array.isArray(values) ? values : constant === undefined ? [] : [constant];
}

function namesIn({ required }: JsonSchema): readonly unknown[] {
  return Array.isArray(required) ? required : [];
}

function schemasIn(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

/** What a reference into the same schema points at. */
function at(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (reference === '#') return undefined;
  let found: unknown = root;
  for (const step of reference.replace(/^#\//, '').split('/')) {
    const name = step.replace(/~1/g, '/').replace(/~0/g, '~');
    found = isSchema(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return isSchema(found) ? found : undefined;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
