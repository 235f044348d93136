import { parseArgs } from 'node:util';
import { UsageError } from './errors.js';

export const HELP = `Usage: agentos <command> [options]

  create NAME              make a persona folder that runs at once, also offline
  chat [DIR]               talk with a persona folder (default: the tutor); when a tool asks you something, the next
                           line is the answer
  dev [DIR]                open the web inspector on loopback; its link is printed. Sam asks you there before it
                           promises what only a manager can
  run DIR                  run a folder's heartbeat until Ctrl-C
  doctor DIR [--db FILE]   check a folder: files, caps, dead elements, keys, and in its sessions cache breaks and
                           blocked lanes; each fault with a fix
  replay TURN --db FILE --session ID     print a past turn, rebuilt byte for byte
  why TURN LINE --db FILE --session ID   say what put a line into a past prompt
  beat DIR --simulate 30d  list the beats of the next days on a virtual clock, with a forecast of their cost

Options
  --json                   machine-readable output, one JSON value per line
  --db FILE                keep sessions in this SQLite file (needs better-sqlite3, or Node 22.13)
  --session ID             for replay and why: the session, as the inspector's address shows it; TURN is then a number
                           or an id
  --persona ID|DIR         for replay and why, in place of what the file says: a built-in persona, or a folder, which
                           needs no session where TURN is an id
  --help, --version        this text; the version of this program

With OPENAI_API_KEY or OPENAI_BASE_URL set, that endpoint answers (OPENAI_MODEL names the model); otherwise the offline
model does: rules of our own, no language model.

Examples
  agentos create ava && agentos chat ava
  agentos dev ava --db sessions.sqlite
  agentos beat ava --simulate 7d --json

Exit codes: 0 done, 1 it failed, 2 the command or its options are wrong, 3 doctor found a fault.
`;

/** The options that have a value. */
const VALUES = { db: { type: 'string' }, session: { type: 'string' }, persona: { type: 'string' }, simulate: { type: 'string' } } as const;
type Values = { readonly [option in keyof typeof VALUES]?: string | undefined };

/** How many words each command takes, and which options beside `--json`. */
const TAKES = {
  create: [1],
  chat: [1],
  dev: [1, 'db'],
  run: [1, 'db'],
  doctor: [1, 'db'],
  replay: [1, 'db', 'session', 'persona'],
  why: [2, 'db', 'session', 'persona'],
  beat: [1, 'simulate'],
} as const satisfies { readonly [command: string]: readonly [words: number, ...options: (keyof Values)[]] };
type Command = keyof typeof TAKES;

export interface CliArguments extends Values {
  readonly command: Command | 'help' | 'version';
  /** What stands after the command. */
  readonly rest: readonly string[];
  readonly json: boolean;
}

/** @throws {@link UsageError} */
export function readCliArguments(argv: readonly string[]): CliArguments {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(argv);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const { json, help, version, ...values } = parsed.values;
  const [command = 'help', ...rest] = parsed.positionals;
  const options = { rest, json, ...values };
  if (version) return { command: 'version', ...options };
  if (help || command === 'help') return { command: 'help', ...options };
  if (!isCommand(command)) throw new UsageError(`There is no command "${command}". Known: ${Object.keys(TAKES).join(', ')}.`);
  // What is not taken is refused: a session that nobody keeps, or half a name, would be noticed too late.
  const [words, ...taken]: readonly [number, ...string[]] = TAKES[command];
  const idle = Object.keys(values).find((name) => !taken.includes(name));
  if (idle !== undefined) throw new UsageError(`${command} takes no --${idle}. See agentos --help.`);
  if (rest.length > words)
    throw new UsageError(`${command} does not take "${rest[words]}". Put a name with spaces in quotation marks; see agentos --help.`);
  return { command, ...options };
}

function isCommand(text: string): text is Command {
  return Object.hasOwn(TAKES, text);
}

function parse(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      version: { type: 'boolean', default: false },
      ...VALUES,
    },
  });
}
