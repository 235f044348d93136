import { AgentosError } from './errors.js';
import { IMPRINT_LIMITS, imprintEntries, imprintsInTheWay, withImprints } from './imprints.js';
import { isForbiddenKey, type Json, toFrozenJson, toJson } from './json.js';
import type { Logged, Operation } from './operations.js';
import { IMPRINT_PREFIX, isReservedKey, KEYS } from './reserved-keys.js';
import type { AgentState } from './state.js';
import { ownValue } from './values.js';
import { parseMood, parseSkillLevel, parseTaskComplexity } from './vocabulary.js';

/** An operation names a value or key that state cannot take. The state is unchanged. */
export class OperationRefusedError extends AgentosError {
  override readonly name = 'OperationRefusedError';
  readonly code = 'operation_refused';
  readonly retryable = false;
}

export interface Applied {
  readonly state: AgentState;
  readonly from: Json;
  readonly to: Json;
}

/**
 * Applies one operation to a state.
 *
 * @returns The new state, and the value before and after for the log. The oldest imprint leaves when a new one would
 * be the 65th; `logOperations` writes that down as an operation of its own.
 * @throws {@link OperationRefusedError} unknown mood, skill or complexity, reserved or prototype key, bound broken,
 * delta not finite. {@link JsonValueError} a value that JSON cannot keep.
 */
export function applyOperation(state: AgentState, operation: Operation): Applied {
  return applyWith(state, operation, toFrozenJson);
}

/**
 * Applies operations in order whose values are copies already, which the state shares: what {@link applyOperation} gives
 * for one after the other. The values of the state are copied once, not for each put: commits are full of them.
 *
 * @param each - Gets the value before and after each operation.
 * @throws {@link OperationRefusedError}; what `each` was told of then does not hold.
 */
export function applyCopies(
  state: AgentState,
  operations: readonly Operation[],
  each?: (from: Json, to: Json, index: number) => void,
): AgentState {
  let now = state;
  let values: Record<string, Json> | undefined;
  for (let index = 0; index < operations.length; index += 1) {
    const operation = operations[index]!;
    if (isPut(operation)) {
      if (values === undefined || now.values !== values) {
        values = { ...now.values };
        now = { ...now, values };
      }
      const { from, to } = putInto(values, operation, shared);
      each?.(from, to, index);
    } else {
      const { state: next, from, to } = applyWith(now, operation, shared);
      each?.(from, to, index);
      now = next;
    }
  }
  return now;
}

// What was left out when it was copied is refused as `undefined` is.
function shared(value: Json | undefined): Json {
  return value === undefined ? toJson(value) : value;
}

/**
 * Puts a value into values that nobody else has yet.
 *
 * @returns The value before and after.
 * @throws As {@link applyOperation}; then nothing is changed.
 */
export function putInto(
  values: Record<string, Json>,
  operation: Extract<Operation, { readonly put: string }>,
  keep: (value: Json) => Json = toFrozenJson,
): Pick<Applied, 'from' | 'to'> {
  const key = operation.put;
  checkPut(key);
  const to = keep(operation.value);
  const from = own(values, key);
  values[key] = to;
  return { from, to };
}

export function isPut(operation: Operation): operation is Extract<Operation, { readonly put: string }> {
  return typeof operation === 'object' && operation !== null && 'put' in operation && !('set' in operation);
}

function applyWith(state: AgentState, operation: Operation, keep: (value: Json) => Json): Applied {
  if (typeof operation !== 'object' || operation === null)
    throw new OperationRefusedError('An operation is an object such as { set, to }.');
  if ('set' in operation) return set(state, operation.set, operation.to);
  if ('put' in operation) return put(state, operation.put, operation.value, keep);
  if ('imprint' in operation) return imprint(state, operation.imprint, operation.value, keep);
  if ('trait' in operation) return trait(state, operation.trait, operation.delta);
  return unset(state, operation.unset);
}

/** The operation that takes a logged one back: the value before it is set again, a trait's step is subtracted. */
export function inverseOperation({ operation, from, to }: Logged): Operation {
  if ('set' in operation) return from === null ? { unset: operation.set } : { set: operation.set, to: String(from) };
  if ('trait' in operation) return { trait: operation.trait, delta: Number(from) - Number(to) };
  if ('imprint' in operation)
    return from === null ? { unset: IMPRINT_PREFIX + operation.imprint } : { imprint: operation.imprint, value: from };
  if ('put' in operation) return from === null ? { unset: operation.put } : { put: operation.put, value: from };
  const key = operation.unset;
  if (from === null) return { unset: key };
  if (key === 'language' || key === 'domain') return { set: key, to: String(from) };
  return key.startsWith(IMPRINT_PREFIX) ? { imprint: key.slice(IMPRINT_PREFIX.length), value: from } : { put: key, value: from };
}

type Settable = 'mood' | 'skill' | 'complexity' | 'language' | 'domain';
const READERS: { readonly [K in Settable]: (value: string) => string | undefined } = {
  mood: parseMood,
  skill: parseSkillLevel,
  complexity: parseTaskComplexity,
  language: (value) => (/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(value) ? value : undefined),
  domain: (value) => (value.trim() !== '' && value.length <= 200 ? value : undefined),
};

function set(state: AgentState, name: Settable, to: string): Applied {
  const read = ownValue(READERS, name);
  if (!read) throw new OperationRefusedError(`set: this field cannot be set. Use one of ${Object.keys(READERS).join(', ')}.`);
  const value = typeof to === 'string' ? read(to) : undefined;
  if (value === undefined) throw new OperationRefusedError(`set: the value is not a ${name}. Use one of the documented values.`);
  return { state: { ...state, [name]: value }, from: state[name] ?? null, to: value };
}

function put(state: AgentState, key: string, value: Json, keep: (value: Json) => Json): Applied {
  checkPut(key);
  const kept = keep(value);
  return { state: { ...state, values: { ...state.values, [key]: kept } }, from: own(state.values, key), to: kept };
}

function checkPut(key: string): void {
  checkKey(key, 'key');
  if (key.startsWith(IMPRINT_PREFIX))
    throw new OperationRefusedError(`put: ${IMPRINT_PREFIX} is kept for imprints. Use an imprint operation.`);
  // Nobody would see it: working memory shows the mood of the state under this name.
  if (key === KEYS.mood) throw new OperationRefusedError("put: this is the mood. Use { set: 'mood', to }.");
}

function imprint(state: AgentState, key: string, value: Json, keep: (value: Json) => Json): Applied {
  checkKey(key, 'imprint');
  if (isReservedKey(key)) throw new OperationRefusedError('imprint: this key holds state of the agent itself. Choose another name.');
  if (key.length > IMPRINT_LIMITS.maxKeyChars)
    throw new OperationRefusedError(`imprint: a key has at most ${IMPRINT_LIMITS.maxKeyChars} characters.`);
  const kept = keep(value);
  if (JSON.stringify(kept).length > IMPRINT_LIMITS.maxValueChars) {
    throw new OperationRefusedError(`imprint: a value has at most ${IMPRINT_LIMITS.maxValueChars} characters of JSON. Keep the gist.`);
  }
  const leaving = new Set([key, ...imprintsInTheWay(state, key)]);
  const rest = imprintEntries(state).filter(([name]) => !leaving.has(name));
  return { state: withImprints(state, [...rest, [key, kept]]), from: own(state.imprints, key), to: kept };
}

function trait(state: AgentState, name: string, delta: number): Applied {
  checkKey(name, 'trait');
  if (!Number.isFinite(delta)) throw new OperationRefusedError('trait: the delta must be a finite number.');
  const from = ownValue(state.traits, name) ?? 0.5;
  const to = Math.min(1, Math.max(0, from + delta));
  return { state: { ...state, traits: { ...state.traits, [name]: to } }, from, to };
}

function unset(state: AgentState, key: string): Applied {
  checkKey(key, 'key');
  if (key === 'language' || key === 'domain') {
    const { [key]: from, ...rest } = state;
    return { state: rest, from: from ?? null, to: null };
  }
  if (key.startsWith(IMPRINT_PREFIX)) {
    const name = key.slice(IMPRINT_PREFIX.length);
    const rest = imprintEntries(state).filter(([held]) => held !== name);
    return { state: withImprints(state, rest), from: own(state.imprints, name), to: null };
  }
  return { state: { ...state, values: without(state.values, key) }, from: own(state.values, key), to: null };
}

function checkKey(key: string, what: string): void {
  if (typeof key !== 'string' || key.trim() === '')
    throw new OperationRefusedError(`${what}: the name must be a string that is not blank.`);
  if (isForbiddenKey(key)) throw new OperationRefusedError(`${what}: this name would reach an object's prototype. Choose another name.`);
}

function own(record: { readonly [key: string]: Json }, key: string): Json {
  return ownValue(record, key) ?? null;
}

function without(record: { readonly [key: string]: Json }, key: string): { readonly [key: string]: Json } {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}
