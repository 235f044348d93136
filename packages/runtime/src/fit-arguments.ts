type Fields = { readonly [name: string]: unknown };

/**
 * Arguments in the form that the schema names, where a model wrote them in another and only one can be meant: a number, a list or an
 * object inside a text, a number where a text is wanted, one item where a list is wanted, a listed word in other letters, and null
 * for what may be left out.
 *
 * @returns The same value where nothing had to change.
 */
export function fitArguments(given: unknown, schema: unknown): unknown {
  if (!isFields(schema)) return given;
  const types = typesIn(schema);
  const value = types.size === 0 || types.has(typeOf(given)) ? given : converted(given, types, schema);
  if (typeof value === 'string') return listed(value, schema);
  if (Array.isArray(value)) return changed(value, (item) => fitArguments(item, schema['items']));
  return isFields(value) && isFields(schema['properties']) ? fitFields(value, schema['properties'], schema['required']) : value;
}

function fitFields(given: Fields, properties: Fields, required: unknown): Fields {
  let fitted: { [name: string]: unknown } | undefined;
  for (const [name, value] of Object.entries(given)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const isNeedless = value === null && isFields(schema) && !takesNull(schema) && !(Array.isArray(required) && required.includes(name));
    const fit = isNeedless ? undefined : fitArguments(value, schema);
    if (fit === value) continue;
    fitted ??= { ...given };
    if (isNeedless) delete fitted[name];
    else fitted[name] = fit;
  }
  return fitted ?? given;
}

function converted(given: unknown, types: ReadonlySet<string>, { items }: Fields): unknown {
  const isWanted = types.has('array') && isFields(items) && typesIn(items).has(typeOf(given));
  if (typeof given === 'number' || typeof given === 'boolean') return types.has('string') && isExact(given) ? String(given) : given;
  if (typeof given !== 'string') return isWanted ? [given] : given;
  const text = given.trim();
  const read = /^[[{]|^(?:true|false)$|^-?\d/i.test(text) ? parsed(/^[tf]/i.test(text) ? text.toLowerCase() : text) : undefined;
  if (read !== undefined && types.has(typeOf(read)) && isExact(read)) return read;
  // What begins as a list and is not JSON, such as one of Python's, is no item.
  return isWanted && /^[^[{]/.test(text) ? [given] : given;
}

/** False for a number of more digits than a number holds: it has lost some, and an id that did is another one. */
function isExact(value: unknown): boolean {
  return typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

function listed(value: string, { enum: values }: Fields): string {
  if (!Array.isArray(values) || values.includes(value)) return value;
  const same = values.filter((one) => typeof one === 'string' && one.toLowerCase() === value.trim().toLowerCase());
  return same.length === 1 ? String(same[0]) : value;
}

/** The types that a schema lets through; none where it does not say. */
function typesIn({ type, anyOf, oneOf, nullable }: Fields): ReadonlySet<string> {
  const own = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string');
  const branches = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const all = branches.map((branch) => (isFields(branch) ? typesIn(branch) : new Set<string>()));
  // A branch that does not say lets everything through.
  if (own.length === 0 && all.some((types) => types.size === 0)) return new Set();
  const types = new Set<string>([...own, ...all.flatMap((one) => [...one])]);
  if (types.has('number')) types.add('integer');
  if (nullable === true) types.add('null');
  return types;
}

function takesNull(schema: Fields): boolean {
  const types = typesIn(schema);
  return types.size === 0 ? schema['const'] === null || !isTold(schema) : types.has('null');
}

function isTold({ enum: values, const: constant }: Fields): boolean {
  return constant !== undefined || (Array.isArray(values) && !values.includes(null));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function changed(list: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const made = list.map(change);
  return made.every((item, index) => item === list[index]) ? list : made;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
