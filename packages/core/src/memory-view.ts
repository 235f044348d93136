import { type Json, toJson } from './json.js';
import { checkMemoryKey, type IWorkingMemory } from './memory.js';
import type { Operation } from './operations.js';
import { IMPRINT_PREFIX, KEYS } from './reserved-keys.js';
import type { AgentState } from './state.js';

/** What {@link memoryView} needs of a lane. */
export interface MemorySource {
  state(): AgentState | Promise<AgentState>;
  /** Commits the operations as one. */
  commit(operations: readonly Operation[], why: string): Promise<void>;
}

/**
 * Shows a lane's state as working memory, under the seed's names: `currentGmiMood`, `currentUserContext`,
 * `currentTaskContext`, `imprint:<key>` and every other key. There is one truth: the state; a `set` is a commit.
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
      await source.commit(writes(key, toJson(value)), `set ${key}`);
    },
    async delete(key) {
      if ((await read(key)) === undefined || key === KEYS.mood) return false;
      await source.commit([{ unset: key }], `delete ${key}`);
      return true;
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
      const keys = [...Object.keys(state.values), ...Object.keys(state.imprints).map((key) => IMPRINT_PREFIX + key)];
      if (keys.length > 0)
        await source.commit(
          keys.map((key) => ({ unset: key })),
          'clear',
        );
    },
  };
}

function valueAt(state: AgentState, key: string): Json | undefined {
  if (key === KEYS.mood) return state.mood;
  if (key === KEYS.user)
    return {
      ...object(state.values[KEYS.user]),
      skillLevel: state.skill,
      ...(state.language !== undefined && { language: state.language }),
    };
  if (key === KEYS.task)
    return {
      ...object(state.values[KEYS.task]),
      complexity: state.complexity,
      ...(state.domain !== undefined && { domain: state.domain }),
    };
  if (key.startsWith(IMPRINT_PREFIX)) return own(state.imprints, key.slice(IMPRINT_PREFIX.length));
  return own(state.values, key);
}

function writes(key: string, value: Json): readonly Operation[] {
  if (key === KEYS.mood) return [{ set: 'mood', to: String(value) }];
  if (key === KEYS.user) return [...split(value, { skillLevel: 'skill', language: 'language' }, KEYS.user)];
  if (key === KEYS.task) return [...split(value, { complexity: 'complexity', domain: 'domain' }, KEYS.task)];
  if (key.startsWith(IMPRINT_PREFIX)) return [{ imprint: key.slice(IMPRINT_PREFIX.length), value }];
  return [{ put: key, value }];
}

type Field = 'skill' | 'language' | 'complexity' | 'domain';

function split(value: Json, fields: { readonly [name: string]: Field }, key: string): readonly Operation[] {
  const entries = Object.entries(object(value));
  const sets = entries.flatMap(([name, item]): Operation[] =>
    fields[name] && typeof item === 'string' ? [{ set: fields[name], to: item }] : [],
  );
  return [...sets, { put: key, value: Object.fromEntries(entries.filter(([name]) => !fields[name])) }];
}

function object(value: Json | undefined): { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as { readonly [key: string]: Json }) : {};
}

function own(record: { readonly [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
