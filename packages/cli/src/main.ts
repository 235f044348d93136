import { readFileSync, statSync } from 'node:fs';
import { isAgentosError } from '@x/agentos';
import { chat } from './chat.js';
import { type CliArguments, HELP, readCliArguments } from './cli-arguments.js';
import { createPersona } from './create-persona.js';
import { doctor } from './doctor/doctor.js';
import { type Endpoint, openEndpoint } from './endpoint.js';
import { UsageError } from './errors.js';
import { inspect } from './inspect.js';
import { replayTurn, whyLine } from './past-turns.js';
import { personas, personaTools, tutor } from './personas.js';
import { runHeartbeat } from './run-heartbeat.js';
import { simulateBeats } from './simulate-beats.js';

/** What the program is given by its process. */
export interface World {
  readonly argv: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly errors: NodeJS.WritableStream;
  readonly nowMs: number;
}

/** Runs one command and returns its exit code: 0 done, 1 failed, 2 wrong usage, 3 doctor found a fault. */
export async function main(world: World): Promise<number> {
  const say = (text: string): void => void world.output.write(`${text}\n`);
  try {
    const args = readCliArguments(world.argv);
    if (args.command === 'help') {
      world.output.write(HELP);
      return 0;
    }
    if (args.command === 'version') {
      const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string };
      say(version);
      return 0;
    }
    return await run(args, world, say);
  } catch (error) {
    world.errors.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return isAgentosError(error) && error.code === 'usage_wrong' ? 2 : 1;
  }
}

async function run(args: CliArguments, world: World, say: (text: string) => void): Promise<number> {
  const { command, json, db } = args;
  const [dir] = args.rest;
  if (command === 'create')
    say(json ? JSON.stringify({ folder: createPersona(dir) }) : `Made ${createPersona(dir)}. Now: agentos chat ${quoted(dir)}`);
  else if (command === 'doctor') return diagnose(needed(dir, 'doctor'), args, world, say);
  else if (command === 'beat') await forecast(folder(dir, 'beat'), args, world.nowMs, say);
  else if (command === 'replay') await replayTurn(args, say);
  else if (command === 'why') await whyLine(args, say);
  else if (command === 'run') {
    const persona = folder(dir, command);
    await withEndpoint(world, json ? undefined : say, (endpoint) => runHeartbeat(persona, endpoint, { db, say }));
  } else {
    const named = dir === undefined ? undefined : folder(dir, command);
    return withEndpoint(world, json ? undefined : say, async (endpoint) => {
      if (command === 'dev') await inspect({ endpoint, personas, tools: personaTools, dir: named, db, say });
      else {
        const { failed } = await chat({ endpoint, persona: named ?? tutor, json, input: world.input, output: world.output });
        if (failed > 0 && !isTerminal(world.input)) return 1;
      }
      return 0;
    });
  }
  return 0;
}

async function diagnose(
  dir: string,
  { db, json }: CliArguments,
  { environment, nowMs }: World,
  say: (text: string) => void,
): Promise<number> {
  const findings = await doctor(dir, { environment, nowMs, db });
  for (const finding of findings)
    say(
      json
        ? JSON.stringify(finding)
        : `${finding.severity.padEnd(8)} ${finding.what}${finding.fix ? `\n         fix: ${finding.fix}` : ''}`,
    );
  return findings.some(({ severity }) => severity === 'error') ? 3 : 0;
}

async function forecast(dir: string, { simulate = '30d', json }: CliArguments, nowMs: number, say: (text: string) => void): Promise<void> {
  const { beats, days, free, inputTokensPerBeat, costUsd } = await simulateBeats(dir, simulate, nowMs);
  if (json) return say(JSON.stringify({ beats, days, free, inputTokensPerBeat, costUsd }));
  for (const beat of beats.slice(0, 10)) say(beat);
  if (beats.length > 10) say(`… ${beats.length - 10} more`);
  say(
    free
      ? `${beats.length} beats in ${days} days; HEARTBEAT.md is empty, so none asks a model.`
      : `${beats.length} beats in ${days} days, about ${inputTokensPerBeat} tokens each: $${costUsd.toFixed(4)} at the price of gpt-4o-mini in October 2024.`,
  );
}

async function withEndpoint<T>(
  { environment }: World,
  describe: ((text: string) => void) | undefined,
  work: (endpoint: Endpoint) => Promise<T>,
): Promise<T> {
  const endpoint = await openEndpoint(environment);
  try {
    describe?.(endpoint.description);
    return await work(endpoint);
  } finally {
    await endpoint.close();
  }
}

/** Who sits at a terminal saw what failed; a program that pipes its text in reads the exit code. */
function isTerminal(input: NodeJS.ReadableStream): boolean {
  return 'isTTY' in input && input.isTTY === true;
}

function quoted(name: string | undefined): string {
  return name !== undefined && /[^\w./-]/.test(name) ? JSON.stringify(name) : String(name);
}

/** @throws {@link UsageError} there is none of this name. */
function folder(dir: string | undefined, command: string): string {
  const named = needed(dir, command);
  if (statSync(named, { throwIfNoEntry: false })?.isDirectory()) return named;
  throw new UsageError(`There is no folder ${named}. Make one: agentos create NAME`);
}

function needed(dir: string | undefined, command: string): string {
  if (!dir) throw new UsageError(`${command} needs a persona folder: agentos ${command} ava`);
  return dir;
}
