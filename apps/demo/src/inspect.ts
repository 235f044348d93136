import { createMemoryStore } from '@x/agentos';
import { sqliteStore } from '@x/store/sqlite';
import type { DemoArguments } from './arguments.js';
import type { Endpoint } from './endpoint.js';
import { openInspector } from './inspector/open-inspector.js';
import { personas } from './personas.js';

/** Serves the inspector until Ctrl-C. */
export async function inspect(endpoint: Endpoint, { db, persona }: DemoArguments, say: (text: string) => void): Promise<void> {
  const durable = db === undefined ? undefined : sqliteStore({ path: db });
  const inspector = await openInspector({ store: durable ?? createMemoryStore(), endpoint, personas, dir: persona });
  say(`Inspector: ${inspector.url}`);
  say(durable ? `Sessions are kept in ${db}. Ctrl-C ends.` : 'Sessions live as long as this process; --db FILE keeps them. Ctrl-C ends.');
  await new Promise<void>((done) => process.once('SIGINT', done).once('SIGTERM', done));
  await inspector.close();
  await durable?.close();
}
