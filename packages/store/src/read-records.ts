import { type AgentState, applyOperation, INITIAL_STATE, type Json, type Operation } from '@x/core';

/** The value of a record's JSON, or `undefined` when it is damaged. */
export function readRecord(body: string | null | undefined): Json | undefined {
  if (typeof body !== 'string') return undefined;
  try {
    return JSON.parse(body) as Json;
  } catch {
    return undefined;
  }
}

/**
 * A state as this version knows it: fields that the record lacks have their default, values that no state can have
 * (a trait that is not a number within 0 and 1) are left out.
 *
 * @returns `undefined` when the record is not a state at all.
 */
export function readState(record: Json | undefined): AgentState | undefined {
  if (!isObject(record)) return undefined;
  const text = (name: string): string | undefined => (typeof record[name] === 'string' ? (record[name] as string) : undefined);
  const map = (name: string): { readonly [key: string]: Json } => (isObject(record[name]) ? record[name] : {});
  const language = text('language');
  const domain = text('domain');
  const traits = Object.entries(map('traits')).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] >= 0 && entry[1] <= 1,
  );
  return {
    mood: text('mood') ?? INITIAL_STATE.mood,
    skill: text('skill') ?? INITIAL_STATE.skill,
    complexity: text('complexity') ?? INITIAL_STATE.complexity,
    ...(language !== undefined && { language }),
    ...(domain !== undefined && { domain }),
    traits: Object.fromEntries(traits),
    imprints: map('imprints'),
    values: map('values'),
  };
}

/** The state that a lane's operations lead to; those that this version refuses are left out. */
export function replayState(initial: AgentState, operations: Iterable<Operation>): AgentState {
  let state = initial;
  for (const operation of operations) {
    try {
      state = applyOperation(state, operation).state;
    } catch {
      // Written by a version that allowed it: the rest of the log still counts.
    }
  }
  return state;
}

/** True for what JSON writes in braces. */
export function isObject(value: unknown): value is { readonly [field: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
