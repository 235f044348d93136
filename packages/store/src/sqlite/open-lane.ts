import {
  type AgentState,
  type Commit,
  isOfKind,
  type Json,
  type LaneScope,
  type LaneStore,
  logOperations,
  memoryView,
  startState,
} from '@x/core';
import { createBlockChain } from '../block-chain.js';
import { createCommitCheck } from '../check-commit.js';
import { type LaneHead, laneNames, nextHead, ofKind, unknownOperation } from '../commit-plan.js';
import { type StoreEvent, tell } from '../durable-store.js';
import { idText } from '../id-text.js';
import { readLogged } from '../read-parts.js';
import { readRecord } from '../read-records.js';
import type { Connection, Prepare } from './connection.js';
import { readConversation, writeConversation } from './conversation-rows.js';
import { type FoundLane, findLane, textsOf, type WrittenHead, writeLane } from './lane-rows.js';
import { createLongTexts } from './long-texts.js';
import { operationRow, writeOperation } from './operation-rows.js';
import { type Damaged, keepAside, setAside } from './set-aside.js';

export interface LaneContext {
  readonly connection: Connection;
  readonly now: () => number;
  readonly newId: (prefix: string) => string;
  /** Called inside each commit: leaves out what is older than the journal is kept. */
  readonly prune: (prepare: Prepare) => void;
  /** How often lanes were erased through this store. */
  readonly erasures: () => number;
  readonly onEvent?: ((event: StoreEvent) => void) | undefined;
}

/** How many operations are read at a time. */
const PAGE = 500;

export function openLane(context: LaneContext, scope: LaneScope, initial: Partial<AgentState> | undefined): LaneStore {
  const { connection, now, newId, onEvent } = context;
  const names = laneNames(scope);
  const start = startState(initial);
  const chain = createBlockChain();
  const checked = createCommitCheck();
  const longTexts = createLongTexts();
  /** Never handed out: a caller may change what it loads. */
  let written: WrittenHead | undefined;

  /** Commits what is made from the head as it is now; nobody can come between. */
  const commitOn = (make: (head: LaneHead) => Commit): Promise<{ readonly revision: number }> =>
    connection.write((prepare) => {
      const found = findLane(prepare, names.key, start, written);
      const change = make(found.head);
      const turn = idText(change.turn);
      const before =
        found.id !== undefined &&
        (prepare('SELECT revision FROM turn WHERE lane = ? AND id = ?').get(found.id, turn) as { revision: number } | undefined);
      if (before) return { revision: before.revision };
      const head = nextHead(found.head, change, names.key);
      const rows = change.operations.map((logged) => operationRow(logged, longTexts));
      written = { head, texts: textsOf(head, longTexts) };
      const lane = writeLane(prepare, names, found, written);
      for (const { column, body } of found.damaged) keepAside(prepare, lane, 'lane', column, body, now());
      prepare('INSERT INTO turn (lane, id, revision) VALUES (?, ?, ?)').run(lane, turn, head.revision);
      for (const row of rows) writeOperation(prepare, lane, row);
      for (const entry of change.journal ?? []) {
        prepare('INSERT INTO journal (lane, turn, at_ms, body) VALUES (?, ?, ?, ?)').run(lane, turn, now(), JSON.stringify(entry));
      }
      if (change.conversation) {
        const damaged: Damaged[] = [];
        writeConversation(prepare, lane, change.conversation, chain, (one) => damaged.push(one));
        setAside(prepare, lane, damaged, now());
      }
      context.prune(prepare);
      return { revision: head.revision };
    });

  const report = async (found: FoundLane, damaged: readonly Damaged[]): Promise<void> => {
    for (const { column } of found.damaged) {
      tell(onEvent, { type: 'record_set_aside', table: 'lane', lane: names.key, record: column });
      if (column === 'state') tell(onEvent, { type: 'state_rebuilt', lane: names.key });
    }
    if (damaged.length === 0) return;
    await connection.write((prepare) => setAside(prepare, found.id ?? 0, damaged, now()));
    for (const { table, seq } of damaged) tell(onEvent, { type: 'record_set_aside', table, lane: names.key, record: String(seq) });
  };

  const memory = memoryView({
    state: () => connection.read((prepare) => findLane(prepare, names.key, start).head.state),
    async commit(operations, why) {
      const turn = newId('set');
      await commitOn(({ state, revision, events }) => {
        const { logged } = logOperations(state, operations, { by: 'host', why, turn, atMs: now() }, () => newId('op'));
        return { revision, turn, operations: logged, events, batches: { add: [], done: [] } };
      });
    },
  });

  return {
    memory,
    erasures: context.erasures,
    async commit(commit) {
      const change = checked(commit);
      return commitOn(() => change);
    },
    async load(conversation, { original = false } = {}) {
      const damaged: Damaged[] = [];
      const found = await connection.read((prepare) => {
        const lane = findLane(prepare, names.key, start);
        const part = readConversation(prepare, lane.id ?? 0, conversation, original, (one) => damaged.push(one));
        return { lane, part };
      });
      await report(found.lane, damaged);
      const { fence: _fence, ...head } = found.lane.head;
      return { ...head, ...found.part };
    },
    async *operations(after, { sessions = 'this', kind } = {}) {
      const [column, value] = sessions === 'all' ? ['owner', names.owner] : ['key', names.key];
      const from = `FROM operation o JOIN lane l ON l.id = o.lane WHERE l.${column} = ?`;
      // Places are given within a commit, one commit after another, so their order is that of the commits.
      let last = 0;
      if (after !== undefined) {
        // An index of ids would cost a page of the file for each operation. In one session this looks from the newest on,
        // where it mostly is; over all sessions it looks at all of the log.
        const sql = `SELECT o.seq ${from} AND o.id = ? ORDER BY o.seq DESC LIMIT 1`;
        const found = await connection.read((prepare) => prepare(sql).get(value, idText(after)) as { readonly seq: number } | undefined);
        if (!found) throw unknownOperation();
        last = found.seq;
      }
      for (;;) {
        const sql = `SELECT o.seq, o.body ${from} AND o.seq > ? ${ofKind(kind)} ORDER BY o.seq LIMIT ${PAGE}`;
        const rows = await connection.read((prepare) => prepare(sql).all(value, last) as { readonly seq: number; readonly body: string }[]);
        for (const row of rows) {
          const logged = readLogged(row.body);
          if (logged) {
            if (kind === undefined || isOfKind(logged, kind)) yield logged;
          } else tell(onEvent, { type: 'record_set_aside', table: 'operation', lane: names.key, record: String(row.seq) });
        }
        const end = rows.at(-1);
        if (!end || rows.length < PAGE) return;
        last = end.seq;
      }
    },
    async journal(turn) {
      const rows = await connection.read(
        (prepare) =>
          prepare('SELECT j.body FROM journal j JOIN lane l ON l.id = j.lane WHERE l.key = ? AND j.turn = ? ORDER BY j.seq').all(
            names.key,
            idText(turn),
          ) as { readonly body: string }[],
      );
      return rows.flatMap(({ body }): Json[] => {
        const entry = readRecord(body);
        return entry === undefined ? [] : [entry];
      });
    },
  };
}
