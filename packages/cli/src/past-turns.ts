import { promptLines, rebuildTurn, why } from '@x/agentos';
import { sqliteStore } from '@x/store/sqlite';
import { type CliArguments, UsageError } from './cli-arguments.js';
import { personas } from './personas.js';

/** Prints a past turn from the journal of an inspector's session. */
export async function replayTurn(args: CliArguments, say: (text: string) => void): Promise<void> {
  const [turn] = args.rest;
  if (!turn) throw new UsageError('replay needs the id of a turn: agentos replay turn-… --db FILE --session ID');
  await withLane(args, async (lane) => {
    const rebuilt = await rebuildTurn(lane, turn);
    if (args.json) return say(JSON.stringify(rebuilt));
    for (const { step, model, body, reply } of rebuilt.steps) {
      say(`── step ${step}, ${model}`);
      promptLines(body).forEach(({ role, text }, index) => void say(`${String(index + 1).padStart(4)} ${role.padEnd(9)} ${text}`));
      say(`reply     ${JSON.stringify(reply)}`);
    }
  });
}

/** Says what put a line into a past prompt. */
export async function whyLine(args: CliArguments, say: (text: string) => void): Promise<void> {
  const [turn, line] = args.rest;
  if (!turn || !(Number(line) >= 1)) throw new UsageError('why needs a turn and a line: agentos why turn-… 12 --db FILE --session ID');
  await withLane(args, async (lane, persona) => {
    const cause = await why({ lane, persona, turnId: turn, line: Number(line) });
    if (args.json) return say(JSON.stringify(cause));
    say(cause.line);
    say(`${cause.place}, ${cause.element ? `element ${cause.element}` : `part ${cause.part}`}`);
    for (const { by, from, to, why: reason } of cause.changes) say(`  ${by}: ${String(from)} → ${String(to)}  ${reason}`);
  });
}

type Lane = Awaited<ReturnType<ReturnType<typeof sqliteStore>['open']>>;

async function withLane(
  { db, session, persona: id = 'tutor' }: CliArguments,
  work: (lane: Lane, persona: (typeof personas)[string]) => Promise<void>,
): Promise<void> {
  if (!db || !session)
    throw new UsageError('Name the file and the session: --db FILE --session ID. The inspector shows the id in its address.');
  const persona = personas[id];
  if (!persona) throw new UsageError(`There is no persona "${id}". Known: ${Object.keys(personas).join(', ')}.`);
  const store = sqliteStore({ path: db });
  try {
    await work(await store.open({ persona: id, user: 'inspector', session }), persona);
  } finally {
    await store.close();
  }
}
