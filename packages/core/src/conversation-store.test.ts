import { expect, test, vi } from 'vitest';
import { agentStoreOf, type ChatMessage, type Commit, type IConversationStore, InMemoryConversationStore, type Stored } from './index.js';

const scope = { persona: 'a', user: 'b', session: 'c' };
const ID = 'a/b/c#main';

const says = (id: string): Stored => ({ id, role: 'user', content: id, origin: 'user' });
const adds = (revision: number, turn: string, ...append: readonly Stored[]): Commit => ({
  revision,
  turn,
  operations: [],
  events: [],
  batches: { add: [], done: [] },
  conversation: { id: 'main', append, blocks: [], stableHash: 'h' },
});

/** A host whose next calls fail as told. */
function hostThat(
  fails: { get?: unknown; save?: unknown },
  inner: IConversationStore = new InMemoryConversationStore(),
): IConversationStore {
  return {
    get: async (id) => {
      if (fails.get) throw fails.get;
      return inner.get(id);
    },
    save: async (id, messages) => {
      if (fails.save) throw fails.save;
      await inner.save(id, messages);
    },
  };
}

test('a commit that the host could not save has changed nothing, and may be tried again', async () => {
  const fails: { save?: unknown } = { save: new Error('disk full: the text of a user') };
  const lane = await agentStoreOf(hostThat(fails)).open(scope);
  const commit = adds(0, 't1', says('m1'));
  const error = await lane.commit(commit).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'conversation_store_failed', retryable: true, cause: fails.save });
  expect((error as Error).message).not.toContain('text of a user');
  expect(await lane.load('main')).toMatchObject({ revision: 0, history: [], transcriptRevision: 0 });
  delete fails.save;
  expect(await lane.commit(commit)).toEqual({ revision: 1 });
  expect((await lane.load('main')).history).toEqual([says('m1')]);
});

test('of two commits on one revision the host sees only the one that counts', async () => {
  const saved: string[][] = [];
  const inner = new InMemoryConversationStore();
  const host: IConversationStore = {
    get: (id) => inner.get(id),
    async save(id, messages) {
      await new Promise((resolve) => setImmediate(resolve));
      saved.push(messages.map(({ content }) => String(content)));
      await inner.save(id, messages);
    },
  };
  const lane = await agentStoreOf(host).open(scope);
  const tries = await Promise.allSettled([lane.commit(adds(0, 't1', says('one'))), lane.commit(adds(0, 't2', says('two')))]);
  expect(tries.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(tries[1]).toMatchObject({ reason: { code: 'revision_conflict', revision: 1 } });
  expect(saved).toEqual([['one']]);
  expect(await lane.commit(adds(0, 't1', says('one')))).toEqual({ revision: 1 });
  expect(saved).toEqual([['one']]);
});

test('a host that cannot be read is asked again at the next load', async () => {
  const fails: { get?: unknown } = { get: new Error('offline') };
  const inner = new InMemoryConversationStore();
  await inner.save(ID, [says('m1')]);
  const lane = await agentStoreOf(hostThat(fails, inner)).open(scope);
  await expect(lane.load('main')).rejects.toMatchObject({ code: 'conversation_store_failed', retryable: true });
  delete fails.get;
  expect((await lane.load('main')).history).toEqual([says('m1')]);
});

test("the host's own instructions stay where they stood, and are no part of the talk", async () => {
  const host = new InMemoryConversationStore();
  const soul: ChatMessage = { role: 'system', content: 'old soul' };
  const rule: ChatMessage = { role: 'developer', content: 'be brief' };
  const late: ChatMessage = { role: 'system', content: 'now a new subject' };
  const reminder: ChatMessage = { role: 'developer', content: 'the shop closes soon' };
  await host.save(ID, [soul, rule, says('m1'), late, says('m2'), reminder]);
  const lane = await agentStoreOf(host).open(scope);
  const { history, revision } = await lane.load('main');
  expect(history.map(({ role, content, origin }) => [role, content, origin])).toEqual([
    ['user', 'm1', 'user'],
    ['user', 'm2', 'user'],
    ['developer', 'the shop closes soon', 'synthetic'],
  ]);
  await lane.commit(adds(revision, 't1', says('m3')));
  const contents = async (): Promise<unknown> => (await host.get(ID))?.map(({ content }) => content);
  expect(await contents()).toEqual(['old soul', 'be brief', 'm1', 'now a new subject', 'm2', 'the shop closes soon', 'm3']);
  const again = await lane.load('main');
  const folded = adds(again.revision, 't2', says('m4'));
  await lane.commit({ ...folded, conversation: { ...folded.conversation!, replace: [says('summary')] } });
  expect(await contents()).toEqual(['old soul', 'be brief', 'now a new subject', 'summary', 'm4']);
});

test('a summary that another system stored as a system message is part of the talk, as one of the machine', async () => {
  const host = new InMemoryConversationStore();
  const content = '[Summary of earlier conversation]\nShe is called Mila.';
  await host.save(ID, [
    { role: 'system', content: 'old soul' },
    { role: 'system', content },
    { role: 'developer', content: 'be brief' },
    says('m1'),
  ]);
  const lane = await agentStoreOf(host).open(scope);
  const { history, revision } = await lane.load('main');
  expect(history).toEqual([{ id: expect.any(String), role: 'user', content, origin: 'synthetic' }, says('m1')]);
  await lane.commit(adds(revision, 't1', says('m2')));
  expect((await host.get(ID))?.map(({ content }) => content)).toEqual(['old soul', content, 'be brief', 'm1', 'm2']);
});

test('a load during a commit of another conversation does not fail', async () => {
  const host = new InMemoryConversationStore();
  await host.save('a/b/c#other', [says('x')]);
  const lane = await agentStoreOf(host).open(scope);
  const [, other] = await Promise.all([lane.commit(adds(0, 't1', says('m1'))), lane.load('other')]).catch((error) => [error, error]);
  expect(other).toMatchObject({ history: [says('x')] });
});

test.each([
  ['an object around the list', { messages: [says('m1')] }],
  ['a text', 'm1'],
  ['a hole in the list', [says('m1'), null]],
  ['a role of another library', [{ role: 'human', content: 'm1' }]],
])('a host that gives no list of messages is told so, and its transcript is not overwritten: %s', async (_what, stored) => {
  const save = vi.fn(async () => {});
  const lane = await agentStoreOf({ get: async () => stored as never, save }).open(scope);
  await expect(lane.load('main')).rejects.toMatchObject({ code: 'conversation_store_failed', retryable: false });
  await expect(lane.commit(adds(0, 't1', says('m2')))).rejects.toMatchObject({ code: 'conversation_store_failed', retryable: false });
  expect(save).not.toHaveBeenCalled();
});
