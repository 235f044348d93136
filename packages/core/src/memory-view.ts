import { OperationRefusedError } from './apply-operation.js';
import { type Json, toJson } from './json.js';
import { checkMemoryKey, type IWorkingMemory } from './memory.js';
import type { Operation } from './operations.js';
import { IMPRINT_PREFIX, KEYS } from './reserved-keys.js';
import type { AgentState } from './state.js';
import { jsonObject, ownValue } from './values.js';

/** What {@link memoryView} needs of a lane. */
export interface MemorySource {
  state(): AgentState | Promise<AgentState>;
  /** Commits the operations as one. */
  commit(operations: readonly Operation[], why: string): Promise<void>;
}

/**
 * Shows a lane's state as working memory, under the seed's names: `currentGmiMood`, `currentUserContext`,
 * `currentTaskContext`, `imprint:<key>` and every other key. There is one truth: the state; a `set` is a commit.
 *
 * Mood, user and task are always there. A `set` of the last two replaces all of them but skill and complexity, which
 * are always known; a `delete` leaves just these.
 */
export function memoryView(source: MemorySource): IWorkingMemory {
  const read = async (key: string): Promise<Json | undefined> => valueAt(await source.state(), key);
  return {
    async get(key) {
      const value = await read(key);
      return value === undefined ? undefined : toJson(value);
    },
    async set(key, value) {
      checkMemoryKey(key);
      await source.commit(writes(await source.state(), key, toJson(value)), `set ${key}`);
    },
    async delete(key) {
      const operations = removals(await source.state(), key);
      if (operations.length > 0) await source.commit(operations, `delete ${key}`);
      return operations.length > 0;
    },
    async has(key) {
      return (await read(key)) !== undefined;
    },
    async keys() {
      const state = await source.state();
      const named = new Set([
        KEYS.mood,
        KEYS.user,
        KEYS.task,
        ...Object.keys(state.values),
        ...Object.keys(state.imprints).map((key) => IMPRINT_PREFIX + key),
      ]);
      return [...named];
    },
    async clear() {
      const state = await source.state();
      const imprints = Object.keys(state.imprints).map((key) => IMPRINT_PREFIX + key);
      const keys = new Set([...imprints, KEYS.user, KEYS.task, ...Object.keys(state.values)]);
      const operations = [...keys].flatMap((key) => removals(state, key));
      if (operations.length > 0) await source.commit(operations, 'clear');
    },
  };
}

/** A context of the seed that is partly made of fields of the state. */
interface Context {
  /** Its name in the context, and in the state. */
  readonly always: readonly [name: string, field: 'skill' | 'complexity'];
  /** Known or not; named alike in both. */
  readonly perhaps: 'language' | 'domain';
}

const CONTEXTS: { readonly [key: string]: Context } = {
  [KEYS.user]: { always: ['skillLevel', 'skill'], perhaps: 'language' },
  [KEYS.task]: { always: ['complexity', 'complexity'], perhaps: 'domain' },
};

function valueAt(state: AgentState, key: string): Json | undefined {
  if (key === KEYS.mood) return state.mood;
  const context = ownValue(CONTEXTS, key);
  if (context) {
    const { always, perhaps } = context;
    const known = state[perhaps] !== undefined && { [perhaps]: state[perhaps] };
    return { ...jsonObject(ownValue(state.values, key)), [always[0]]: state[always[1]], ...known };
  }
  if (key.startsWith(IMPRINT_PREFIX)) return ownValue(state.imprints, key.slice(IMPRINT_PREFIX.length));
  return ownValue(state.values, key);
}

function writes(state: AgentState, key: string, value: Json): readonly Operation[] {
  if (key === KEYS.mood) return [{ set: 'mood', to: textIn(value, key) }];
  const context = ownValue(CONTEXTS, key);
  if (!context) return key.startsWith(IMPRINT_PREFIX) ? [{ imprint: key.slice(IMPRINT_PREFIX.length), value }] : [{ put: key, value }];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new OperationRefusedError(`${key}: must be an object.`);
  const {
    always: [name, field],
    perhaps,
  } = context;
  const { [name]: level = null, [perhaps]: known = null, ...rest } = jsonObject(value);
  return [
    ...(level === null ? [] : [{ set: field, to: textIn(level, `${key}.${name}`) }]),
    ...(known === null ? forgets(state, perhaps) : [{ set: perhaps, to: textIn(known, `${key}.${perhaps}`) }]),
    { put: key, value: rest },
  ];
}

function removals(state: AgentState, key: string): readonly Operation[] {
  if (key === KEYS.mood) return [];
  const context = ownValue(CONTEXTS, key);
  const held = context ? ownValue(state.values, key) : valueAt(state, key);
  return [...(context ? forgets(state, context.perhaps) : []), ...(held === undefined ? [] : [{ unset: key }])];
}

function forgets(state: AgentState, field: 'language' | 'domain'): readonly Operation[] {
  return state[field] === undefined ? [] : [{ unset: field }];
}

function textIn(value: Json, path: string): string {
  if (typeof value === 'string') return value;
  throw new OperationRefusedError(`${path}: must be a text.`);
}
