import { agents, readPersona } from '@x/agentos';
import type { Endpoint } from './endpoint.js';
import { UsageError } from './errors.js';
import { openSessionFile } from './session-file.js';

/** Runs a folder's heartbeat until Ctrl-C. The schedule is kept in the folder, or in the file, so the next beat survives a restart. */
export async function runHeartbeat(
  dir: string,
  { model }: Endpoint,
  { db, say }: { readonly db?: string | undefined; say(text: string): void },
): Promise<void> {
  const { heartbeat } = readPersona(dir).persona;
  if (!heartbeat) throw new UsageError('This folder has no heartbeat. Add `heartbeat: { everyMs: 3600000 }` to persona.yaml.');
  const store = db === undefined ? undefined : openSessionFile(db);
  const started = agents.startAgent(
    agents.fromDir(dir),
    { model, ...(store && { store }) },
    {
      ...heartbeat,
      ...(store && { schedule: store.schedule }),
      onBeat: (text) => say(text),
      onError: (error) => say(`error: ${error instanceof Error ? error.message : String(error)}`),
      onPending: ({ prompt }) => say(`waits for you: ${prompt}`),
    },
  );
  say(`${started.handle.name} is awake. Ctrl-C ends.`);
  await new Promise<void>((done) => process.once('SIGINT', done).once('SIGTERM', done));
  await started.stop();
  await store?.close();
}
