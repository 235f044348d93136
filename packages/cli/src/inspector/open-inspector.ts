import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { guard } from './guard.js';
import { createRoutes } from './routes.js';
import { createSessionBook, type SessionBookOptions } from './session-book.js';

export interface InspectorOptions extends SessionBookOptions {
  /** Default: any free port. */
  readonly port?: number | undefined;
  /** The built page; default beside this file. */
  readonly pageFolder?: string | undefined;
}

export interface Inspector {
  /** With the token that opens it once. */
  readonly url: string;
  close(): Promise<void>;
}

const TYPES: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.map': 'application/json',
};

/**
 * Serves the inspector on 127.0.0.1. Nothing is loaded from elsewhere.
 *
 * @throws What the store throws when it cannot be read.
 */
export async function openInspector({
  port = 0,
  pageFolder = fileURLToPath(new URL('./web', import.meta.url)),
  ...options
}: InspectorOptions): Promise<Inspector> {
  const token = randomBytes(24).toString('hex');
  const book = createSessionBook(options);
  // A missing driver or an unreadable file shows here.
  await book.rows();
  const app = new Hono();
  app.use(guard(token));
  app.route('/api', createRoutes(book));
  app.get('/*', async (context) => {
    const path = context.req.path === '/' ? 'index.html' : normalize(context.req.path).replace(/^[/\\]+/, '');
    const type = TYPES[extname(path)];
    if (path.startsWith('..') || type === undefined) return context.notFound();
    try {
      return context.body(new Uint8Array(await readFile(join(pageFolder, path))), 200, { 'Content-Type': type });
    } catch {
      return context.notFound();
    }
  });
  const server = await new Promise<ReturnType<typeof serve>>((ready) => {
    const started = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, () => ready(started));
  });
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  return {
    url: `http://127.0.0.1:${bound}/?token=${token}`,
    async close() {
      try {
        await book.close();
      } finally {
        await new Promise<void>((done) => {
          server.close(() => done());
          if ('closeAllConnections' in server) server.closeAllConnections();
        });
      }
    },
  };
}
