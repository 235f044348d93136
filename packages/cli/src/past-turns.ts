import { promptLines, rebuildTurn, why } from '@x/agentos';
import type { CliArguments } from './cli-arguments.js';
import { UsageError } from './errors.js';
import { withPastSession } from './past-session.js';

/** Prints a past turn from the journal of an inspector's session. */
export async function replayTurn(args: CliArguments, say: (text: string) => void): Promise<void> {
  const [named] = args.rest;
  if (!named) throw new UsageError('replay needs a turn, by number or id: agentos replay 3 --db FILE --session ID');
  await withPastSession(args, named, async ({ lane, turn }) => {
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
  const [named, line] = args.rest;
  if (!named || !(Number(line) >= 1)) throw new UsageError('why needs a turn and a line: agentos why 3 12 --db FILE --session ID');
  await withPastSession(args, named, async ({ lane, persona, turn }) => {
    const cause = await why({ lane, persona, turnId: turn, line: Number(line) });
    if (args.json) return say(JSON.stringify(cause));
    say(cause.line);
    say(`${cause.place}, ${cause.element ? `element ${cause.element}` : `part ${cause.part}`}`);
    for (const { by, from, to, why: reason } of cause.changes) say(`  ${by}: ${String(from)} → ${String(to)}  ${reason}`);
  });
}
