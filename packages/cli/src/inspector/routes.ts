import { isAgentosError, openMemory } from '@x/agentos';
import { type Context, Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { bodyOf, limitBody } from './body.js';
import { exportTurn } from './export-turn.js';
import type { KeptReport } from './kept-reports.js';
import type { OpenSession, SaidToQuestion } from './open-session.js';
import { lineCause, promptView } from './prompt-view.js';
import type { createSessionBook } from './session-book.js';
import { sessionView } from './session-view.js';

type Book = ReturnType<typeof createSessionBook>;

/** What the page asks. Errors are JSON with `code` and `message`. */
export function createRoutes(book: Book): Hono {
  const routes = new Hono();
  const withSession = (handle: (context: Context, session: OpenSession) => Promise<Response>) => async (context: Context) => {
    const session = await book.get(context.req.param('id') ?? '');
    return session ? handle(context, session) : context.json({ code: 'session_unknown', message: 'There is no such session.' }, 404);
  };
  routes.use(limitBody());
  routes.onError((error, context) => context.json(said(error), 400));
  routes.get('/sessions', async (context) => context.json({ personas: book.personas, sessions: await book.rows() }));
  routes.post('/sessions', async (context) => {
    const { persona } = await bodyOf<{ persona: string }>(context);
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
      const { text } = await bodyOf<{ text: string }>(context);
      if (typeof text !== 'string' || text.trim() === '' || text.length > 20_000)
        return context.json({ code: 'text_invalid', message: 'Write something of at most 20,000 characters.' }, 400);
      return streamTurn(context, (onText, signal) => session.say(text, onText, signal));
    }),
  );
  routes.post(
    '/session/:id/answer',
    withSession(async (context, session) => {
      const { question, ok, value } = await bodyOf<SaidToQuestion>(context);
      return streamTurn(context, (onText) => session.answer({ question: String(question), ok, value }, onText));
    }),
  );
  routes.post(
    '/session/:id/drop',
    withSession(async (context, session) => {
      const { question } = await bodyOf<SaidToQuestion>(context);
      await session.drop(String(question));
      return context.json(await sessionView(session));
    }),
  );
  routes.post(
    '/session/:id/stop',
    withSession(async (context, session) => {
      session.stop();
      return context.json({});
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
      const { operation } = await bodyOf<{ operation: string }>(context);
      await (await session.gmi.session()).undo(String(operation));
      return context.json(await sessionView(session));
    }),
  );
  routes.post(
    '/session/:id/memory/undo',
    withSession(async (context, session) => {
      const { record } = await bodyOf<{ record: string }>(context);
      if (session.dir === undefined) return context.json({ code: 'no_directory', message: 'This persona has no directory.' }, 400);
      await openMemory(session.dir).undo(String(record));
      return context.json(await sessionView(session));
    }),
  );
  return routes;
}

function said(error: unknown): { readonly code: string; readonly message: string } {
  return {
    code: isAgentosError(error) ? error.code : 'internal_error',
    message: error instanceof Error ? error.message : String(error),
  };
}

/** Sends the words of a turn as they come, then its report or why there is none. */
function streamTurn(
  context: Context,
  run: (onText: (delta: string) => void, signal: AbortSignal) => Promise<KeptReport>,
): Response | Promise<Response> {
  return streamSSE(context, async (stream) => {
    const stop = new AbortController();
    stream.onAbort(() => stop.abort(new Error('The page went away.')));
    let sent: Promise<void> = Promise.resolve();
    const send = (event: object): void => {
      sent = sent.then(() => stream.writeSSE({ data: JSON.stringify(event) }));
    };
    try {
      send({ type: 'report', report: await run((delta) => send({ type: 'delta', text: delta }), stop.signal) });
    } catch (error) {
      send({ type: 'error', ...said(error) });
    }
    await sent;
  });
}
