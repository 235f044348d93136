import { existsSync, statSync } from 'node:fs';
import { type IPersonaDefinition, type LaneScope, type LaneStore, readPersona } from '@x/agentos';
import type { CliArguments } from './cli-arguments.js';
import { UsageError } from './errors.js';
import { openReports } from './inspector/kept-reports.js';
import { createSessionIndex, type SessionRow, scopeOf } from './inspector/session-index.js';
import { personas } from './personas.js';
import { openSessionFile } from './session-file.js';

/** Where a past turn is looked up. */
export interface PastSession {
  readonly lane: LaneStore;
  readonly persona: IPersonaDefinition;
  /** The id of the turn that was named by its id, or by its number in the session. */
  readonly turn: string;
}

type Store = ReturnType<typeof openSessionFile>;

/**
 * Opens the session of a past turn: by `--session` as the inspector lists it, or by `--persona`, a built-in one or a folder.
 *
 * @throws {@link UsageError} something that is needed is not named, or not there.
 */
export async function withPastSession(
  args: Pick<CliArguments, 'db' | 'session' | 'persona'>,
  turn: string,
  work: (session: PastSession) => Promise<void>,
): Promise<void> {
  const { db, session } = args;
  if (!db) throw new UsageError('Name the file that keeps the sessions: --db FILE.');
  if (!existsSync(db)) throw new UsageError(`There is no file ${db}. Name the one that \`agentos dev --db FILE\` writes.`);
  const store = openSessionFile(db);
  try {
    const row = session === undefined ? undefined : (await createSessionIndex(store).rows()).find(({ id }) => id === session);
    const { scope, persona } = locate(args, row);
    const lane = await store.open(scope);
    await work({ lane, persona, turn: /^\d+$/.test(turn) ? await turnOfNumber(store, row, Number(turn)) : turn });
  } finally {
    await store.close();
  }
}

function locate(
  { session, persona: named }: Pick<CliArguments, 'session' | 'persona'>,
  row: SessionRow | undefined,
): { readonly scope: LaneScope; readonly persona: IPersonaDefinition } {
  const name = named ?? row?.dir ?? row?.persona;
  if (name === undefined)
    throw new UsageError(
      session === undefined
        ? 'Name the session: --session ID, as the address of the inspector shows it; or --persona DIR for a folder.'
        : `The file has no session ${session}. The address of the inspector shows the id.`,
    );
  const builtIn = Object.hasOwn(personas, name) ? personas[name] : undefined;
  if (builtIn) {
    if (session === undefined) throw new UsageError(`Name the session of ${name}: --session ID.`);
    return { scope: scopeOf({ id: session, persona: name }), persona: builtIn };
  }
  if (!statSync(name, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`There is no persona and no folder "${name}". Built in: ${Object.keys(personas).join(', ')}.`);
  const { persona, dir } = readPersona(name);
  return { scope: { directory: dir }, persona };
}

async function turnOfNumber(store: Store, row: SessionRow | undefined, number: number): Promise<string> {
  if (!row) throw new UsageError('A turn is known by its number only with --session ID; else name its id.');
  const found = (await (await openReports(store, row)).all()).find(({ turn }) => turn === number);
  if (!found) throw new UsageError(`Session ${row.id} has ${row.turns} turns; there is no turn ${number}.`);
  return found.id;
}
