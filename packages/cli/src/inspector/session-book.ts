import {
  createId,
  createSharedLanes,
  GMI,
  type GMIOptions,
  gmiFromDir,
  type IAgentStore,
  type IPersonaDefinition,
  PersonaUnknownError,
  readPersona,
} from '@x/agentos';
import type { Endpoint } from '../endpoint.js';
import { createReporter } from '../turn-report.js';
import { type KeptReport, openReports } from './kept-reports.js';
import { createSessionIndex, FOLDER, type SessionRow, scopeOf } from './session-index.js';

export interface OpenSession {
  readonly id: string;
  readonly gmi: GMI;
  /** The folder of a persona directory. */
  readonly dir?: string | undefined;
  reports(): Promise<readonly KeptReport[]>;
  /** Messages that come while one is answered wait for it. */
  say(text: string, onText: (delta: string) => void, signal: AbortSignal): Promise<KeptReport>;
}

export interface SessionBookOptions {
  readonly store: IAgentStore;
  readonly endpoint: Endpoint;
  readonly personas: { readonly [id: string]: IPersonaDefinition };
  /** A persona folder that can be chosen too. */
  readonly dir?: string | undefined;
}

/** Opens sessions, keeps their list and the report of every turn, all in the one store. */
export function createSessionBook({ store, endpoint, personas, dir }: SessionBookOptions) {
  const open = new Map<string, Promise<OpenSession>>();
  const index = createSessionIndex(store);
  const openLane = createSharedLanes();

  const buildGmi = (row: SessionRow): GMI => {
    const shared: Omit<GMIOptions, 'persona' | 'tools' | 'hooks'> = {
      model: endpoint.model,
      store,
      scope: scopeOf(row),
      openLane,
      journal: true,
      compaction: { maxTokens: 6_000 },
      prompt: { imprints: true },
    };
    if (row.dir !== undefined) return gmiFromDir(row.dir, { ...shared, conversation: row.id });
    const definition = Object.hasOwn(personas, row.persona) ? personas[row.persona] : undefined;
    if (!definition) throw new PersonaUnknownError(row.persona, Object.keys(personas));
    return new GMI({ ...shared, persona: definition });
  };

  const build = async (row: SessionRow): Promise<OpenSession> => {
    const gmi = buildGmi(row);
    const reports = await openReports(store, row);
    const kept = [...(await reports.all())];
    const report = createReporter(gmi, { turn: kept.length, elements: kept.at(-1)?.elements.inPrompt ?? [] });
    const runTurn: OpenSession['say'] = async (text, onText, signal) => {
      const id = createId('turn');
      const made: KeptReport = { ...(await report(text, { id, onText, signal })), id, atMs: Date.now() };
      await reports.add(made);
      kept.push(made);
      await index.save({ ...row, title: kept[0]?.user.slice(0, 60) ?? row.title, turns: kept.length, updatedMs: made.atMs });
      return made;
    };
    let last: Promise<unknown> = Promise.resolve();
    return {
      id: row.id,
      gmi,
      dir: row.dir,
      reports: async () => kept,
      say(...said) {
        const turn = last.then(() => runTurn(...said));
        last = turn.catch(() => undefined);
        return turn;
      },
    };
  };

  return {
    rows: index.rows,
    personas: [
      ...Object.values(personas).map(({ id, name, description }) => ({ id, name, description })),
      ...(dir === undefined ? [] : [{ id: FOLDER, name: 'Your folder', description: 'The persona directory you named.' }]),
    ],
    /** @returns `undefined` when there is no such persona. @throws `persona_dir_missing` */
    async create(persona: string): Promise<SessionRow | undefined> {
      const folder = persona === FOLDER && dir !== undefined ? readPersona(dir).dir : undefined;
      if (folder === undefined && !Object.hasOwn(personas, persona)) return undefined;
      const row: SessionRow = {
        id: createId('s'),
        persona,
        ...(folder !== undefined && { dir: folder }),
        title: 'New session',
        turns: 0,
        updatedMs: Date.now(),
      };
      await index.save(row);
      return row;
    },
    async get(id: string): Promise<OpenSession | undefined> {
      const known = open.get(id);
      if (known) return known;
      const row = (await index.rows()).find((each) => each.id === id);
      if (!row) return undefined;
      const session = open.get(id) ?? build(row);
      open.set(id, session);
      // What failed may work the next time.
      session.catch(() => open.get(id) === session && open.delete(id));
      return session;
    },
    /** Closes every session, also after one that would not close; then throws what that one threw. */
    async close(): Promise<void> {
      const ends = await Promise.allSettled(
        [...open.values()].map((session) =>
          session.then(
            ({ gmi }) => gmi.shutdown(),
            () => undefined,
          ),
        ),
      );
      const failed = ends.find((end) => end.status === 'rejected');
      if (failed) throw failed.reason;
    },
  };
}
