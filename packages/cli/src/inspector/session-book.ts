import {
  createId,
  createSharedLanes,
  GMI,
  type GMIOptions,
  gmiFromDir,
  type IAgentStore,
  type IPersonaDefinition,
  type ITool,
  PersonaUnknownError,
  readPersona,
} from '@x/agentos';
import type { Endpoint } from '../endpoint.js';
import { openReports } from './kept-reports.js';
import { createOpenSession, type OpenSession } from './open-session.js';
import { createSessionIndex, FOLDER, type SessionRow, scopeOf } from './session-index.js';

export interface SessionBookOptions {
  readonly store: IAgentStore;
  readonly endpoint: Endpoint;
  readonly personas: { readonly [id: string]: IPersonaDefinition };
  /** Tools of a persona, by its id; `folder`: those of the folder, beside its own. */
  readonly tools?: { readonly [persona: string]: readonly ITool[] } | undefined;
  /** A persona folder that can be chosen too. */
  readonly dir?: string | undefined;
}

/** Opens sessions, keeps their list and the report of every turn, all in the one store. */
export function createSessionBook({ store, endpoint, personas, tools, dir }: SessionBookOptions) {
  const open = new Map<string, Promise<OpenSession>>();
  const index = createSessionIndex(store);
  const openLane = createSharedLanes();

  const toolsOf = ({ persona }: SessionRow): readonly ITool[] => (tools && Object.hasOwn(tools, persona) ? (tools[persona] ?? []) : []);
  const buildGmi = (row: SessionRow): GMI => {
    const shared: Omit<GMIOptions, 'persona' | 'hooks'> = {
      tools: toolsOf(row),
      model: endpoint.model,
      store,
      scope: scopeOf(row),
      openLane,
      // Two inspectors may be open on one file, or its host beside one.
      shared: true,
      journal: true,
      compaction: { maxTokens: 6_000 },
      prompt: { imprints: true },
    };
    if (row.dir !== undefined) return gmiFromDir(row.dir, { ...shared, conversation: row.id });
    const definition = Object.hasOwn(personas, row.persona) ? personas[row.persona] : undefined;
    if (!definition) throw new PersonaUnknownError(row.persona, Object.keys(personas));
    return new GMI({ ...shared, persona: definition });
  };

  const build = async (row: SessionRow): Promise<OpenSession> =>
    createOpenSession(row, {
      gmi: buildGmi(row),
      reports: await openReports(store, row),
      tools: new Set(toolsOf(row).map(({ name }) => name)),
      save: index.save,
    });

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
