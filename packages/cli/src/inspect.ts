import { createMemoryStore, type IPersonaDefinition, type ITool, readPersona } from '@x/agentos';
import type { Endpoint } from './endpoint.js';
import { openInspector } from './inspector/open-inspector.js';
import { openSessionFile } from './session-file.js';

export interface InspectOptions {
  readonly endpoint: Endpoint;
  readonly personas: { readonly [id: string]: IPersonaDefinition };
  /** Tools of a persona, by its id; `folder`: those of the folder, beside its own. */
  readonly tools?: { readonly [persona: string]: readonly ITool[] } | undefined;
  /** A persona folder to offer beside them. */
  readonly dir?: string | undefined;
  /** A SQLite file that keeps the sessions; without one they end with the process. */
  readonly db?: string | undefined;
  say(text: string): void;
}

/**
 * Serves the inspector until Ctrl-C.
 *
 * @throws `persona_dir_missing`; and where the file is no SQLite file.
 */
export async function inspect({ endpoint, personas, tools, dir, db, say }: InspectOptions): Promise<void> {
  // Without a folder the page would offer a persona that cannot be talked to.
  if (dir !== undefined) readPersona(dir);
  const durable = db === undefined ? undefined : openSessionFile(db);
  try {
    const inspector = await openInspector({ store: durable ?? createMemoryStore(), endpoint, personas, tools, dir });
    say(`Inspector: ${inspector.url}`);
    say(durable ? `Sessions are kept in ${db}. Ctrl-C ends.` : 'Sessions live as long as this process; --db FILE keeps them. Ctrl-C ends.');
    await new Promise<void>((done) => process.once('SIGINT', done).once('SIGTERM', done));
    await inspector.close();
  } finally {
    await durable?.close();
  }
}
