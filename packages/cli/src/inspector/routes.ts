import { isAgentosError, openMemory } from '@x/agentos';
import { type Context, Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { exportTurn } from './export-turn.js';
import { lineCause, promptView } from './prompt-view.js';
import type { createSessionBook, OpenSession } from './session-book.js';
import { sessionView } from './session-view.js';

type Book = ReturnType<typeof createSessionBook>;

/** What the page asks. Errors are JSON with `code` and `message`. */
export function createRoutes(book: Book): Hono {
  const routes = new Hono();
  const withSession = (handle: (context: Context, session: OpenSession) => Promise<Response>) => async (context: Context) => {
    const session = await book.get(context.req.param('id') ?? '');
    return session ? handle(context, session) : context.json({ code: 'session_unknown', message: 'There is no such session.' }, 404);
  };
  routes.onError((error, context) =>
    context.json({ code: isAgentosError(error) ? error.code : 'internal_error', message: error.message }, 400),
  );
  routes.get('/sessions', async (context) => context.json({ personas: book.personas, sessions: await book.rows() }));
  routes.post('/sessions', async (context) => {
    const { persona } = await context.req.json<{ persona?: string }>();
    const row = await book.create(String(persona));
    return row ? context.json(row) : context.json({ code: 'persona_unknown', message: 'There is no such persona.' }, 404);
  });
  routes.get(
    '/session/:id',
    withSession(async (context, session) => context.json(await sessionView(session))),
  );
  routes.post(
    '/session/:id/turn',
    withSession(async (context, session) => {
      const { text } = await context.req.json<{ text?: string }>();
      if (typeof text !== 'string' || text.trim() === '' || text.length > 20_000)
        return context.json({ code: 'text_invalid', message: 'Write something of at most 20,000 characters.' }, 400);
      return streamSSE(context, async (stream) => {
        const stop = new AbortController();
        stream.onAbort(() => stop.abort(new Error('The page went away.')));
        let sent: Promise<void> = Promise.resolve();
        const send = (event: object): void => {
          sent = sent.then(() => stream.writeSSE({ data: JSON.stringify(event) }));
        };
        try {
          const report = await session.say(text, (delta) => send({ type: 'delta', text: delta }), stop.signal);
          send({ type: 'report', report });
        } catch (error) {
          send({
            type: 'error',
            code: isAgentosError(error) ? error.code : 'internal_error',
            message: error instanceof Error ? error.message : String(error),
          });
        }
        await sent;
      });
    }),
  );
  const turnOf = async (context: Context, session: OpenSession) => {
    const reports = await session.reports();
    const index = reports.findIndex(({ id }) => id === context.req.param('turn'));
    const report = reports[index];
    return report && { report, view: await promptView(session.gmi, report.id, reports[index - 1]?.id) };
  };
  routes.get(
    '/session/:id/turn/:turn',
    withSession(async (context, session) => context.json((await turnOf(context, session))?.view ?? null)),
  );
  routes.get(
    '/session/:id/turn/:turn/why',
    withSession(async (context, session) =>
      context.json(await lineCause(session.gmi, context.req.param('turn') ?? '', Number(context.req.query('line')))),
    ),
  );
  routes.get(
    '/session/:id/turn/:turn/export',
    withSession(async (context, session) => {
      const found = await turnOf(context, session);
      if (!found) return context.json({ code: 'turn_unknown', message: 'There is no such turn.' }, 404);
      context.header('Content-Disposition', `attachment; filename="turn-${found.report.turn}.html"`);
      return context.html(exportTurn(found.report, found.view));
    }),
  );
  routes.post(
    '/session/:id/undo',
    withSession(async (context, session) => {
      const { operation } = await context.req.json<{ operation?: string }>();
      await (await session.gmi.session()).undo(String(operation));
      return context.json(await sessionView(session));
    }),
  );
  routes.post(
    '/session/:id/memory/undo',
    withSession(async (context, session) => {
      const { record } = await context.req.json<{ record?: string }>();
      if (session.dir === undefined) return context.json({ code: 'no_directory', message: 'This persona has no directory.' }, 400);
      await openMemory(session.dir).undo(String(record));
      return context.json(await sessionView(session));
    }),
  );
  return routes;
}
