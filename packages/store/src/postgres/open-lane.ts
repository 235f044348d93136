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
import { createCommitCheck, operationText } from '../check-commit.js';
import { type LaneHead, laneNames, nextHead, ofKind, unknownOperation } from '../commit-plan.js';
import { type StoreEvent, tell } from '../durable-store.js';
import { idText } from '../id-text.js';
import { readLogged } from '../read-parts.js';
import { readRecord } from '../read-records.js';
import type { Query } from './client.js';
import type { Connection } from './connection.js';
import { type ConversationColumns, conversationColumns, readConversation, writeConversation } from './conversation-rows.js';
import { type FoundLane, headOf, type LaneRow, lockLane } from './lane-rows.js';
import { type Damaged, keepAside, setAside } from './set-aside.js';

export interface LaneContext {
  readonly connection: Connection;
  /** The schema's name, safe to stand in a statement. */
  readonly schema: string;
  readonly now: () => number;
  readonly newId: (prefix: string) => string;
  /** How often lanes were erased through this store. */
  readonly erasures: () => number;
  readonly onEvent?: ((event: StoreEvent) => void) | undefined;
}

/** A lane of PostgreSQL: what else belongs to a commit can be done inside its transaction. */
export interface PostgresLane extends LaneStore {
  /** As `commit`; `also` runs in the same transaction, before it ends, also for a turn that was committed before. */
  commit(commit: Commit, also?: (query: Query) => Promise<void>): Promise<{ readonly revision: number }>;
}

/** How many operations are read at a time. */
const PAGE = 500;

export function openLane(context: LaneContext, scope: LaneScope, initial: Partial<AgentState> | undefined): PostgresLane {
  const { connection, schema, now, newId, onEvent } = context;
  const names = laneNames(scope);
  const start = startState(initial);
  const chain = createBlockChain();
  const checked = createCommitCheck();
  const key = idText(names.key);

  /** Commits what is made from the head as it is now; the lane is locked meanwhile. */
  const commitOn = (make: (head: LaneHead) => Commit, also?: (query: Query) => Promise<void>): Promise<{ readonly revision: number }> =>
    connection.transaction(async (query) => {
      const found = await lockLane(query, schema, names, start);
      const change = make(found.head);
      // Operations of one persona and user get their places one commit after another, whichever sessions they come from.
      const [seen] = await query<{ readonly revision: number | null }>(
        `SELECT (SELECT revision FROM ${schema}.turn WHERE lane = $1 AND id = $2) AS revision,
           CASE WHEN $3::boolean THEN pg_advisory_xact_lock(hashtextextended($4::text, 0))::text END`,
        [found.id, idText(change.turn), change.operations.length > 0, `x-store:${schema}:${idText(names.owner)}`],
      );
      const before = seen?.revision ?? undefined;
      if (before === undefined) {
        const head = nextHead(found.head, change, names.key);
        for (const { column, body } of found.damaged)
          await keepAside(query, schema, { lane: found.id, source: 'lane', record: column, body, atMs: now() });
        await writeLane(query, found, change, head);
        if (change.conversation) await writeConversation(query, schema, found.id, change.conversation, chain);
      }
      await also?.(query);
      return { revision: before ?? found.head.revision + 1 };
    });

  const writeLane = async (query: Query, found: FoundLane, change: Commit, head: LaneHead): Promise<void> => {
    const values = [
      found.id,
      head.revision,
      head.fence,
      JSON.stringify(head.state),
      JSON.stringify(head.events),
      JSON.stringify(head.batches),
      JSON.stringify(found.head.state),
      idText(change.turn),
      change.operations.map(({ id }) => idText(id)),
      change.operations.map(({ atMs }) => atMs),
      change.operations.map(operationText),
      (change.journal ?? []).map((entry) => JSON.stringify(entry)),
      now(),
    ];
    await query(
      `WITH done AS (INSERT INTO ${schema}.turn (lane, id, revision) VALUES ($1::bigint, $8, $2::integer)),
       changed AS (INSERT INTO ${schema}.operation (lane, id, at_ms, body)
         SELECT $1::bigint, o.id, o.at_ms, o.body FROM unnest($9::text[], $10::float8[], $11::text[]) WITH ORDINALITY AS o (id, at_ms, body, n)
         ORDER BY o.n),
       noted AS (INSERT INTO ${schema}.journal (lane, turn, at_ms, body)
         SELECT $1::bigint, $8, $13::float8, j.body FROM unnest($12::text[]) WITH ORDINALITY AS j (body, n) ORDER BY j.n)
       UPDATE ${schema}.lane SET revision = $2::integer, fence = $3, state = $4, events = $5, batches = $6,
         initial = coalesce(initial, $7) WHERE id = $1::bigint`,
      values,
    );
  };

  const report = async (lane: string, found: Pick<FoundLane, 'damaged'>, damaged: readonly Damaged[]): Promise<void> => {
    for (const { column } of found.damaged) {
      tell(onEvent, { type: 'record_set_aside', table: 'lane', lane: names.key, record: column });
      if (column === 'state') tell(onEvent, { type: 'state_rebuilt', lane: names.key });
    }
    if (damaged.length === 0) return;
    await connection.transaction((query) => setAside(query, schema, lane, damaged, now()));
    for (const { table, seq } of damaged) tell(onEvent, { type: 'record_set_aside', table, lane: names.key, record: String(seq) });
  };

  const readLane = async (): Promise<LaneHead> => {
    const [row] = await connection.query<LaneRow>(
      `SELECT id, revision, fence, initial, state, events, batches FROM ${schema}.lane WHERE key = $1`,
      [key],
    );
    return (await headOf(connection.query, schema, row, start)).head;
  };

  const memory = memoryView({
    state: async () => (await readLane()).state,
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
    async commit(commit, also) {
      const change = checked(commit);
      return commitOn(() => change, also);
    },
    async load(conversation, { original = false } = {}) {
      const [row] = await connection.query<LaneRow & ConversationColumns>(
        `SELECT l.id, l.revision, l.fence, l.initial, l.state, l.events, l.batches, ${conversationColumns(schema, original)}
         FROM ${schema}.lane l LEFT JOIN ${schema}.conversation c ON c.lane = l.id AND c.name = $2 WHERE l.key = $1`,
        [key, idText(conversation)],
      );
      const damaged: Damaged[] = [];
      const part = readConversation(row, (one) => damaged.push(one));
      const found = await headOf(connection.query, schema, row, start);
      await report(row?.id ?? '0', found, damaged);
      const { fence: _fence, ...head } = found.head;
      return { ...head, ...part };
    },
    async *operations(after, { sessions = 'this', kind } = {}) {
      const [column, value] = sessions === 'all' ? ['owner', names.owner] : ['key', names.key];
      const from = `FROM ${schema}.operation o JOIN ${schema}.lane l ON l.id = o.lane WHERE l.${column} = $1`;
      let last = '0';
      if (after !== undefined) {
        const sql = `SELECT o.seq ${from} AND o.id = $2 ORDER BY o.seq DESC LIMIT 1`;
        const [found] = await connection.query<{ readonly seq: string }>(sql, [idText(value ?? ''), idText(after)]);
        if (!found) throw unknownOperation();
        last = found.seq;
      }
      for (;;) {
        const sql = `SELECT o.seq, o.body ${from} AND o.seq > $2::bigint ${ofKind(kind)} ORDER BY o.seq LIMIT ${PAGE}`;
        const rows = await connection.query<{ readonly seq: string; readonly body: string }>(sql, [idText(value ?? ''), last]);
        for (const row of rows) {
          const logged = readLogged(row.body);
          if (logged) {
            if (kind === undefined || isOfKind(logged, kind)) yield logged;
          } else tell(onEvent, { type: 'record_set_aside', table: 'operation', lane: names.key, record: row.seq });
        }
        const end = rows.at(-1);
        if (!end || rows.length < PAGE) return;
        last = end.seq;
      }
    },
    async journal(turn) {
      const rows = await connection.query<{ readonly body: string }>(
        `SELECT j.body FROM ${schema}.journal j JOIN ${schema}.lane l ON l.id = j.lane WHERE l.key = $1 AND j.turn = $2 ORDER BY j.seq`,
        [key, idText(turn)],
      );
      return rows.flatMap(({ body }): Json[] => {
        const entry = readRecord(body);
        return entry === undefined ? [] : [entry];
      });
    },
  };
}
