import {
  applyOperation,
  type Batch,
  type GMIEvent,
  IMPRINT_PREFIX,
  INITIAL_STATE,
  type IWorkingMemory,
  isForbiddenKey,
  isOfKind,
  type Json,
  jsonObject,
  KEYS,
  type LaneStore,
  type Logged,
  parseMood,
  parseSkillLevel,
  parseTaskComplexity,
  RevisionConflictError,
} from '@x/core';

/**
 * A lane over a host's own working memory, under the seed's names. State is read from and written to the memory key by
 * key; pending events, batches and the log live in this process, so nothing is resumed after a crash. A commit is not
 * atomic here: for that, give the executor a lane of a store.
 */
export function memoryLane(memory: IWorkingMemory): LaneStore {
  let revision = 0;
  let events: readonly GMIEvent[] = [];
  let batches: readonly Batch[] = [];
  const log: Logged[] = [];
  const turns = new Map<string, number>();
  // Reads wait for the writes of the commit before them, so that nobody sees half of it.
  let writing: Promise<void> = Promise.resolve();
  return {
    memory,
    async load() {
      await writing;
      return { revision, state: await readState(memory), events, batches, transcriptRevision: 0, history: [], blocks: [] };
    },
    async commit(change) {
      const known = turns.get(change.turn);
      if (known !== undefined) return { revision: known };
      if (change.revision !== revision) throw new RevisionConflictError({ lane: 'working memory', expected: change.revision, revision });
      const before = { revision, events, batches };
      revision += 1;
      turns.set(change.turn, revision);
      const finished = new Set(change.batches.done);
      events = change.events;
      batches = [...batches, ...change.batches.add].filter((batch) => !finished.has(batch.id));
      const own = revision;
      const write = async (): Promise<void> => {
        for (const { operation } of change.operations) await writeOperation(memory, operation);
      };
      const done = writing.then(write);
      writing = done.catch(() => undefined);
      try {
        await done;
      } catch (error) {
        // What the memory did not take is still to do: the same turn may be committed again.
        turns.delete(change.turn);
        if (revision === own) ({ revision, events, batches } = before);
        throw error;
      }
      log.push(...change.operations);
      return { revision: own };
    },
    async *operations(after, { kind } = {}) {
      const rest = log.slice(after === undefined ? 0 : log.findIndex((entry) => entry.id === after) + 1);
      yield* kind === undefined ? rest : rest.filter((entry) => isOfKind(entry, kind));
    },
    journal: async () => [],
  };
}

const NAMED: readonly string[] = [KEYS.mood];

async function readState(memory: IWorkingMemory) {
  const values: { [key: string]: Json } = {};
  const imprints: { [key: string]: Json } = {};
  for (const key of await memory.keys()) {
    const value = await memory.get(key);
    const name = key.startsWith(IMPRINT_PREFIX) ? key.slice(IMPRINT_PREFIX.length) : key;
    if (value === undefined || NAMED.includes(key) || isForbiddenKey(name)) continue;
    (name === key ? values : imprints)[name] = value;
  }
  const user = jsonObject(values[KEYS.user]);
  const task = jsonObject(values[KEYS.task]);
  const language = user['language'];
  const domain = task['domain'];
  return {
    ...INITIAL_STATE,
    mood: parseMood(await memory.get(KEYS.mood)) ?? INITIAL_STATE.mood,
    skill: parseSkillLevel(user['skillLevel']) ?? INITIAL_STATE.skill,
    complexity: parseTaskComplexity(task['complexity']) ?? INITIAL_STATE.complexity,
    ...(typeof language === 'string' && { language }),
    ...(typeof domain === 'string' && { domain }),
    imprints,
    values,
  };
}

async function writeOperation(memory: IWorkingMemory, operation: Logged['operation']): Promise<void> {
  if ('put' in operation) return memory.set(operation.put, operation.value);
  if ('unset' in operation) return void (await memory.delete(operation.unset));
  if ('imprint' in operation) {
    const before = await readState(memory);
    const { imprints } = applyOperation(before, operation).state;
    for (const key of Object.keys(before.imprints)) if (!Object.hasOwn(imprints, key)) await memory.delete(IMPRINT_PREFIX + key);
    return memory.set(IMPRINT_PREFIX + operation.imprint, operation.value);
  }
  if ('trait' in operation) return;
  const { set, to } = operation;
  if (set === 'mood') return memory.set(KEYS.mood, to);
  const [key, field] = FIELDS[set];
  return memory.set(key, { ...jsonObject(await memory.get(key)), [field]: to });
}

const FIELDS = {
  skill: [KEYS.user, 'skillLevel'],
  language: [KEYS.user, 'language'],
  complexity: [KEYS.task, 'complexity'],
  domain: [KEYS.task, 'domain'],
} as const;
