import { InvalidArgumentError } from './errors.js';
import { isForbiddenKey, type Json, toJson } from './json.js';

/** Keys and JSON values of one lane. Values are copied in and out: nobody holds a live reference. */
export interface IWorkingMemory {
  get(key: string): Promise<Json | undefined>;
  /**
   * @throws `json_value_invalid` for what JSON cannot keep, `invalid_argument` for a blank or prototype key; from the
   * memory of a lane also `operation_refused`, for a mood, skill or the like that state cannot take.
   */
  set(key: string, value: Json): Promise<void>;
  /** True when there was something to delete. The memory of a lane always has mood, user and task, if only their defaults. */
  delete(key: string): Promise<boolean>;
  has(key: string): Promise<boolean>;
  keys(): Promise<readonly string[]>;
  clear(): Promise<void>;
}

/** A working memory that lives as long as the process. */
export class InMemoryWorkingMemory implements IWorkingMemory {
  readonly #values = new Map<string, Json>();

  async get(key: string): Promise<Json | undefined> {
    const value = this.#values.get(key);
    return value === undefined ? undefined : toJson(value);
  }

  async set(key: string, value: Json): Promise<void> {
    checkMemoryKey(key);
    this.#values.set(key, toJson(value));
  }

  async delete(key: string): Promise<boolean> {
    return this.#values.delete(key);
  }

  async has(key: string): Promise<boolean> {
    return this.#values.has(key);
  }

  async keys(): Promise<readonly string[]> {
    return [...this.#values.keys()];
  }

  async clear(): Promise<void> {
    this.#values.clear();
  }

  /** A copy of everything. */
  async getAll(): Promise<{ readonly [key: string]: Json }> {
    return Object.fromEntries([...this.#values].map(([key, value]) => [key, toJson(value)]));
  }

  async size(): Promise<number> {
    return this.#values.size;
  }

  /** Does nothing: there is nothing to open. For hosts that call it, as the seed's memory wants; no id empties this one. */
  async initialize(_gmiId?: string): Promise<void> {}

  /** Does nothing: there is nothing to close. */
  async close(): Promise<void> {}
}

/** @throws {@link InvalidArgumentError} the key is not a string, blank, or a name on the prototype path. */
export function checkMemoryKey(key: unknown): asserts key is string {
  if (typeof key !== 'string' || key.trim() === '')
    throw new InvalidArgumentError('A key of working memory is a string that is not blank.');
  if (isForbiddenKey(key)) throw new InvalidArgumentError('This key would reach an object prototype. Choose another name.');
}
