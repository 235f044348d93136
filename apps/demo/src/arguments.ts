import { parseArgs } from 'node:util';

export const HELP = `Usage: npm run demo -- [options]

Replays two conversations and tells, turn by turn, how the persona adapts.

  --chat             talk yourself instead
  --inspect          open the web inspector on loopback instead; its link is printed
  --db FILE          keep the inspector's sessions in this SQLite file (needs better-sqlite3: npm run build:sqlite)
  --persona DIR      use a persona folder; with --inspect it is offered beside the built-in personas
  --json             print one JSON object per turn
  --help             this text

With OPENAI_API_KEY or OPENAI_BASE_URL set, that endpoint answers (OPENAI_MODEL names the model);
otherwise the offline model does: rules of our own, no language model.

Examples
  npm run demo
  npm run demo -- --json > turns.jsonl
  npm run demo -- --chat --persona examples/persona-agent/ava
  npm run demo -- --inspect --db sessions.sqlite
`;

export interface DemoArguments {
  readonly chat: boolean;
  readonly json: boolean;
  readonly help: boolean;
  readonly inspect: boolean;
  readonly db?: string | undefined;
  readonly persona?: string | undefined;
}

/** @throws for an unknown option, and for one that would do nothing; the message names it. */
export function readArguments(argv: readonly string[]): DemoArguments {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      chat: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      persona: { type: 'string' },
      inspect: { type: 'boolean', default: false },
      db: { type: 'string' },
    },
  });
  if (values.chat && values.inspect) throw new Error('Choose one of --chat and --inspect.');
  if (values.db !== undefined && !values.inspect) throw new Error('--db keeps sessions of the inspector: add --inspect.');
  return { chat: values.chat, json: values.json, help: values.help, inspect: values.inspect, db: values.db, persona: values.persona };
}
