import {
  createId,
  GMI,
  gmiFromDir,
  type IAgentStore,
  type IPersonaDefinition,
  type LaneScope,
  type LaneStore,
  type Stored,
} from '@x/agentos';
import type { Endpoint } from '../endpoint.js';
import { createReporter, type TurnReport } from '../turn-report.js';

/** One session that can be opened in the inspector. */
export interface SessionRow {
  readonly id: string;
  readonly persona: string;
  readonly title: string;
  readonly turns: number;
  readonly updatedMs: number;
}

/** A report with what the inspector needs to look the turn up again. */
export type KeptReport = TurnReport & { readonly id: string; readonly atMs: number };

export interface OpenSession {
  readonly id: string;
  readonly gmi: GMI;
  /** The folder of a persona directory. */
  readonly dir?: string | undefined;
  reports(): Promise<readonly KeptReport[]>;
  say(text: string, onText: (delta: string) => void, signal: AbortSignal): Promise<KeptReport>;
}

export interface SessionBookOptions {
  readonly store: IAgentStore;
  readonly endpoint: Endpoint;
  readonly personas: { readonly [id: string]: IPersonaDefinition };
  /** A persona folder that can be chosen too. */
  readonly dir?: string | undefined;
}

const INDEX: LaneScope = { persona: 'inspector', user: 'host', session: 'index' };

/** Opens sessions, keeps their list and the report of every turn, all in the one store. */
export function createSessionBook({ store, endpoint, personas, dir }: SessionBookOptions) {
  const open = new Map<string, Promise<OpenSession>>();
  const index = store.open(INDEX);

  const rows = async (): Promise<readonly SessionRow[]> =>
    ((await (await index).memory.get('sessions')) as unknown as readonly SessionRow[] | undefined) ?? [];
  const saveRow = async (row: SessionRow): Promise<void> => {
    const others = (await rows()).filter(({ id }) => id !== row.id);
    await (await index).memory.set(
      'sessions',
      [row, ...others].map((each) => ({ ...each })),
    );
  };

  const build = async (row: SessionRow): Promise<OpenSession> => {
    const gmi = buildGmi(row, { store, endpoint, personas, dir });
    const lane = await store.open({ persona: 'inspector', user: row.persona, session: row.id });
    const kept = [...(await readReports(lane))];
    const report = createReporter(gmi, { turn: kept.length, elements: kept.at(-1)?.elements.inPrompt ?? [] });
    return {
      id: row.id,
      gmi,
      dir: row.persona === 'folder' ? dir : undefined,
      reports: async () => kept,
      async say(text, onText, signal) {
        const id = createId('turn');
        const made: KeptReport = { ...(await report(text, { id, onText, signal })), id, atMs: Date.now() };
        await keepReport(lane, made);
        kept.push(made);
        await saveRow({ ...row, title: kept[0]?.user.slice(0, 60) ?? row.title, turns: kept.length, updatedMs: made.atMs });
        return made;
      },
    };
  };

  return {
    rows,
    personas: [
      ...Object.values(personas).map(({ id, name, description }) => ({ id, name, description })),
      ...(dir ? [{ id: 'folder', name: 'Your folder', description: 'The persona directory you named.' }] : []),
    ],
    async create(persona: string): Promise<SessionRow | undefined> {
      if (!(persona in personas) && !(persona === 'folder' && dir)) return undefined;
      const row: SessionRow = { id: createId('s'), persona, title: 'New session', turns: 0, updatedMs: Date.now() };
      await saveRow(row);
      return row;
    },
    async get(id: string): Promise<OpenSession | undefined> {
      const row = (await rows()).find((each) => each.id === id);
      if (!row) return undefined;
      const session = open.get(id) ?? build(row);
      open.set(id, session);
      return session;
    },
    async close(): Promise<void> {
      for (const session of open.values()) await (await session).gmi.shutdown();
    },
  };
}

function buildGmi({ id, persona }: SessionRow, { store, endpoint, personas, dir }: SessionBookOptions): GMI {
  const shared = { model: endpoint.model, store, journal: true, compaction: { maxTokens: 6_000 }, prompt: { imprints: true } } as const;
  if (persona === 'folder' && dir) return gmiFromDir(dir, { ...shared, conversation: id });
  const definition = personas[persona];
  if (!definition) throw new Error(`There is no persona ${persona} any more.`);
  return new GMI({ ...shared, persona: definition, scope: { persona, user: 'inspector', session: id } });
}

const CONVERSATION = 'reports';

async function readReports(lane: LaneStore): Promise<readonly KeptReport[]> {
  const { history } = await lane.load(CONVERSATION);
  return history.map(({ content }) => JSON.parse(String(content)) as KeptReport);
}

async function keepReport(lane: LaneStore, report: KeptReport): Promise<void> {
  const { revision, events } = await lane.load(CONVERSATION);
  const message: Stored = { id: report.id, role: 'assistant', origin: 'internal', content: JSON.stringify(report) };
  await lane.commit({
    revision,
    turn: report.id,
    operations: [],
    events,
    batches: { add: [], done: [] },
    conversation: { id: CONVERSATION, append: [message], blocks: [], stableHash: '' },
  });
}
