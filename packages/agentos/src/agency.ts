import { type IChatModel, plainName } from '@x/core';
import type { TurnResult } from '@x/runtime';
import { type AgentConfig, type AgentSession, agent, type GmiAgent } from './agent.js';
import { ConfigurationError, ShutDownError } from './errors.js';

export type Strategy = 'sequential' | 'parallel' | 'router';

export interface AgencyConfig {
  /** Members by name: how to build one, or one that was built. */
  readonly roster: { readonly [name: string]: AgentConfig | GmiAgent };
  /**
   * `sequential`: each gets the reply of the one before, or of the last one that said something. `parallel`: all get the prompt, and `synthesize` (or a list of
   * the replies) is the answer. `router`: one is chosen by `route`, or by the words its instructions share with the prompt.
   */
  readonly strategy: Strategy;
  readonly runtime?: 'gmi' | undefined;
  /** For members that name no model. */
  readonly model?: IChatModel | string | undefined;
  /** Chooses a member for `router`. */
  readonly route?: ((prompt: string, names: readonly string[]) => string | Promise<string>) | undefined;
  /** The member that turns the replies of `parallel` into one. */
  readonly synthesizer?: string | undefined;
}

export interface AgencyResult {
  readonly text: string;
  /** What each member that ran gave, in the order in which they ran. */
  readonly replies: readonly { readonly name: string; readonly result: TurnResult }[];
}

export interface Agency {
  readonly names: readonly string[];
  generate(prompt: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<AgencyResult>;
  /** A member as itself, with its own cognition, in a session of its own. @throws `configuration_invalid`, `shut_down` */
  sessionSeat(name: string, sessionId?: string): AgentSession;
  shutdown(): Promise<void>;
}

/**
 * Joins agents. Strategies run members on the light profile, so that a team costs no hidden calls; a member seated with
 * `sessionSeat` runs as it was configured.
 *
 * @throws `configuration_invalid` for an empty roster, an unknown strategy or a synthesizer that is no member.
 */
export function agency(config: AgencyConfig): Agency {
  const { roster, strategy, runtime, model, route, synthesizer } = config;
  const names = Object.keys(roster);
  if (names.length === 0) throw new ConfigurationError('roster is empty. Name at least one member.');
  if (!['sequential', 'parallel', 'router'].includes(strategy))
    throw new ConfigurationError(`There is no strategy "${String(strategy)}". Use sequential, parallel or router.`);
  if (synthesizer !== undefined && !names.includes(synthesizer))
    throw new ConfigurationError(`The synthesizer "${synthesizer}" is not in the roster.`);
  const configOf = (name: string): AgentConfig => {
    const member = Object.hasOwn(roster, name) ? roster[name] : undefined;
    if (!member) throw new ConfigurationError(`There is no member "${name}". Known: ${names.join(', ')}.`);
    const own = isAgent(member) ? member.config : member;
    return { runtime, model, ...own, name };
  };
  const light = new Map(names.map((name) => [name, agent({ ...configOf(name), cognition: 'light' })]));
  const seats = new Map<string, GmiAgent>();
  let down = false;
  const seatOf = (name: string): GmiAgent => {
    if (down) throw new ShutDownError('This agency');
    const known = seats.get(name) ?? agent(configOf(name));
    seats.set(name, known);
    return known;
  };
  const ask = async (name: string, prompt: string, signal: AbortSignal | undefined) => {
    const member = light.get(name);
    if (!member) throw new ConfigurationError(`There is no member "${name}". Known: ${names.join(', ')}.`);
    return { name, result: await member.generate(prompt, { signal }) };
  };
  return {
    names,
    async generate(prompt, { signal } = {}) {
      if (strategy === 'router') {
        const chosen = route
          ? memberNamed(await route(prompt, names), names)
          : nearest(prompt, names, (name) => configOf(name).instructions);
        const reply = await ask(chosen, prompt, signal);
        return { text: reply.result.text, replies: [reply] };
      }
      if (strategy === 'parallel') {
        const replies = await allOrNone(
          names.filter((name) => name !== synthesizer),
          (name, stop) => ask(name, prompt, stop),
          signal,
        );
        const listed = replies.map(({ name, result }) => `${name}: ${result.text}`).join('\n\n');
        if (synthesizer === undefined) return { text: listed, replies };
        const last = await ask(synthesizer, `${prompt}\n\nThe others answered:\n${listed}`, signal);
        return { text: last.result.text, replies: [...replies, last] };
      }
      const replies: Awaited<ReturnType<typeof ask>>[] = [];
      let text = '';
      for (const name of names) {
        const reply = await ask(name, text || prompt, signal);
        replies.push(reply);
        // Who says nothing hands on what it was given.
        if (reply.result.text.trim() !== '') text = reply.result.text;
      }
      return { text, replies };
    },
    sessionSeat: (name, sessionId = 'seat') => seatOf(name).session(sessionId),
    async shutdown() {
      down = true;
      await Promise.all([...light.values(), ...seats.values()].map((member) => member.shutdown()));
    },
  };
}

/** Runs all at once; when one fails the others are stopped, since nobody would see what they cost. */
async function allOrNone<T>(
  names: readonly string[],
  run: (name: string, signal: AbortSignal) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<readonly T[]> {
  const round = new AbortController();
  const stop = (): void => round.abort(signal?.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.all(names.map((name) => run(name, round.signal)));
  } catch (error) {
    round.abort(error);
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

function isAgent(member: AgentConfig | GmiAgent): member is GmiAgent {
  return 'generate' in member && 'config' in member;
}

/** The member that a route means: models write names in another case, or with a full stop. */
function memberNamed(chosen: string, names: readonly string[]): string {
  if (typeof chosen !== 'string' || names.includes(chosen)) return chosen;
  const plain = (name: string): string => plainName(name).replace(/[^\p{L}\p{N}]/gu, '');
  const alike = names.filter((name) => plain(name) !== '' && plain(name) === plain(chosen));
  return alike.length === 1 ? (alike[0] as string) : chosen;
}

// The member whose words stand most often in the prompt; the first of the roster when none does.
function nearest(prompt: string, names: readonly string[], instructionsOf: (name: string) => string): string {
  // In a prompt `it` and `us` are no names, but `IT` and `US` may be.
  const asked = new Set(wordsOf(prompt, (word) => word.length > 2 || word === word.toUpperCase()));
  const scored = names.map((name) => {
    const words = new Set([...wordsOf(name, (word) => word.length > 1), ...wordsOf(instructionsOf(name), (word) => word.length > 3)]);
    return { name, score: [...words].filter((word) => asked.has(word)).length };
  });
  return scored.reduce((best, each) => (each.score > best.score ? each : best)).name;
}

/**
 * The words of a text that count; where none are written apart, each two neighbouring characters, without those that are
 * but endings in Japanese.
 */
function wordsOf(text: string, counts: (word: string) => boolean): readonly string[] {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.flatMap((word) => {
    if (!UNSPACED.test(word)) return counts(word) ? [word.toLowerCase()] : [];
    const pairs = Array.from({ length: Math.max(1, word.length - 1) }, (_, at) => word.slice(at, at + 2).toLowerCase());
    return pairs.filter((pair) => !ENDING.test(pair));
  });
}

const ENDING = /^\p{Script=Hiragana}+$/u;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
