import type { Json } from '../json.js';
import type { LaneStore } from '../store.js';
import { failsWith, same } from './contract.js';

/** What a lane's working memory must do: the seed's keys as views of the one state. */
export const storeMemoryCases: readonly { readonly title: string; body(under: unknown, lane: LaneStore): Promise<void> }[] = [
  {
    title: 'working memory shows the state under the names of the seed',
    async body(_, { memory }) {
      same(await memory.get('currentGmiMood'), 'neutral', 'mood');
      same(await memory.get('currentUserContext'), { skillLevel: 'novice' }, 'user');
      same(await memory.get('currentTaskContext'), { complexity: 'moderate' }, 'task');
      same(await memory.get('nothing'), undefined, 'unknown key');
    },
  },
  {
    title: 'a set in working memory is a commit of logged operations',
    async body(_, lane) {
      await lane.memory.set('manual_trigger_x', true);
      await lane.memory.set('currentGmiMood', 'curious');
      await lane.memory.set('currentUserContext', { skillLevel: 'expert', preferences: { verbosity: 'low' } });
      const { state, revision } = await lane.load('main');
      same([revision, state.mood, state.skill, state.values['manual_trigger_x']], [3, 'curious', 'expert', true], 'state');
      same(await lane.memory.get('currentUserContext'), { skillLevel: 'expert', preferences: { verbosity: 'low' } }, 'user');
      const whys: string[] = [];
      for await (const { why } of lane.operations()) whys.push(why);
      same(whys, ['set manual_trigger_x', 'set currentGmiMood', 'set currentUserContext', 'set currentUserContext'], 'log');
    },
  },
  {
    title: 'keys, has, delete and clear agree',
    async body(_, { memory }) {
      await memory.set('a', 1);
      await memory.set('imprint:pet', 'cat');
      same([await memory.has('a'), await memory.has('imprint:pet'), await memory.has('b')], [true, true, false], 'has');
      same([await memory.delete('a'), await memory.delete('a')], [true, false], 'delete');
      same((await memory.keys()).includes('imprint:pet'), true, 'keys');
      await memory.clear();
      same([await memory.has('imprint:pet'), await memory.get('currentGmiMood')], [false, 'neutral'], 'clear');
    },
  },
  {
    title: 'mood, user and task are always there: deleting them leaves what is always known',
    async body(_, { memory }) {
      const user = { userId: 'a', language: 'de', skillLevel: 'expert' };
      await memory.set('currentUserContext', user);
      await memory.set('currentTaskContext', { domain: 'recursion' });
      same([await memory.delete('currentUserContext'), await memory.delete('currentUserContext')], [true, false], 'delete');
      same(await memory.get('currentUserContext'), { skillLevel: 'expert' }, 'user');
      same(await memory.delete('currentTaskContext'), true, 'a domain alone');
      same(await memory.get('currentTaskContext'), { complexity: 'moderate' }, 'task');
      same([await memory.delete('currentGmiMood'), await memory.get('currentGmiMood')], [false, 'neutral'], 'mood');
      for (const key of ['currentGmiMood', 'currentUserContext', 'currentTaskContext']) same(await memory.has(key), true, key);
      await memory.set('currentUserContext', user);
      await memory.clear();
      same(await memory.get('currentUserContext'), { skillLevel: 'expert' }, 'clear');
    },
  },
  {
    title: 'a context that is set replaces the one before, and what it does not name is gone',
    async body(_, { memory }) {
      await memory.set('currentUserContext', { userId: 'a', language: 'de', skillLevel: 'expert' });
      await memory.set('currentUserContext', { userId: 'b' });
      same(await memory.get('currentUserContext'), { userId: 'b', skillLevel: 'expert' }, 'user; a skill is always known');
      await memory.set('currentTaskContext', { domain: 'recursion', goal: 'x' });
      await memory.set('currentTaskContext', { domain: null, complexity: null });
      same(await memory.get('currentTaskContext'), { complexity: 'moderate' }, 'task; null is nothing');
    },
  },
  {
    title: 'a context with a field that state cannot take is refused whole',
    async body(_, { memory }) {
      for (const value of [{ skillLevel: 5, userId: 'a' }, { language: ['de'] }, { language: 'no tag!' }, 'expert', ['expert'], 7]) {
        await failsWith('operation_refused', () => memory.set('currentUserContext', value), JSON.stringify(value));
      }
      for (const value of [{ complexity: 'unheard-of' }, { domain: 5 }, null]) {
        await failsWith('operation_refused', () => memory.set('currentTaskContext', value), JSON.stringify(value));
      }
      await failsWith('operation_refused', () => memory.set('currentGmiMood', 5), 'mood');
      same(await memory.get('currentUserContext'), { skillLevel: 'novice' }, 'user');
      same(await memory.get('currentTaskContext'), { complexity: 'moderate' }, 'task');
    },
  },
  {
    title: 'working memory refuses what it cannot keep',
    async body(_, { memory }) {
      const cyclic: { self?: unknown } = {};
      cyclic.self = cyclic;
      for (const value of [Number.NaN, Number.POSITIVE_INFINITY, undefined, cyclic, new Date(0), [undefined]]) {
        await failsWith('json_value_invalid', () => memory.set('key', value as Json), String(value));
      }
      for (const key of ['', '  ', '__proto__', 'constructor']) await failsWith('invalid_argument', () => memory.set(key, 1), key);
      await failsWith('operation_refused', () => memory.set('currentGmiMood', 'helpful'), 'unknown mood');
      same(await memory.has('key'), false, 'nothing was kept');
    },
  },
];
