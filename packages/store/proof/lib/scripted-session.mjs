import { createHash } from 'node:crypto';
import { createMemoryStore, logOperations } from '@x/core';

export const SCOPE = { persona: 'ava', user: 'anna', session: 'proof' };
const MOODS = ['neutral', 'curious', 'focused', 'empathetic', 'analytical'];

/** Turn `index` of the script: state of every kind, messages, notes, a fold now and then, a journal. */
export function turnOf(index, { revision, state, history, blocks }) {
  const turn = `t${index}`;
  let ids = 0;
  const { logged } = logOperations(
    state,
    [
      { set: 'mood', to: MOODS[index % MOODS.length] },
      { put: 'turns', value: index + 1 },
      { imprint: `fact${index % 90}`, value: `learned in turn ${index}` },
      { trait: 'openness', delta: index % 2 === 0 ? 0.03 : -0.02 },
    ],
    { by: 'proof', why: 'script', turn, atMs: 1_000 + index },
    () => `${turn}-${ids++}`,
  );
  const said = (id, role, content) => ({ id, role, content, origin: role });
  const folds = index % 40 === 39;
  const kept = folds
    ? [{ id: `s${index}`, role: 'user', content: `summary before turn ${index}`, origin: 'synthetic' }, ...history.slice(-12)]
    : undefined;
  return {
    revision,
    turn,
    operations: logged,
    events: [{ eventType: 'scripted', timestamp: '2026-01-01T00:00:00.000Z', turnId: turn, severity: 'low', metadata: { index } }],
    batches: { add: [{ id: `b${index}`, turn, by: 'proof', items: [] }], done: [`b${index - 1}`] },
    conversation: {
      id: 'main',
      ...(kept && { replace: kept }),
      append: [
        said(`u${index}`, 'user', `question ${index} ${'x'.repeat(index % 300)}`),
        said(`a${index}`, 'assistant', `answer ${index}`),
      ],
      blocks: folds ? [] : [...blocks, { before: `u${index}`, part: 'state', text: `turn ${index}` }],
      stableHash: 'h',
    },
    journal: [{ index }, { answer: `answer ${index}` }],
  };
}

/** What a lane holds, as figures that two stores can be compared by. */
export async function look(lane) {
  const snapshot = await lane.load('main');
  const { history: original } = await lane.load('main', { original: true });
  let operations = 0;
  for await (const { turn } of lane.operations()) operations += turn === `t${Math.floor(operations / 4)}` ? 1 : Number.NaN;
  const turns = original.filter(({ role }) => role === 'user').map(({ id }) => id);
  const last = snapshot.revision === 0 ? [] : await lane.journal(`t${snapshot.revision - 1}`);
  const hash = createHash('sha256').update(JSON.stringify(snapshot)).digest('hex');
  return { revision: snapshot.revision, hash, operations, messages: original.length, turns: new Set(turns).size, journal: last.length };
}

/** What a lane has to hold after each number of turns, by the store in memory. */
export async function expected(turns) {
  const lane = await createMemoryStore().open(SCOPE);
  const states = [await look(lane)];
  for (let index = 0; index < turns; index += 1) {
    await lane.commit(turnOf(index, await lane.load('main')));
    states.push(await look(lane));
  }
  return states;
}
