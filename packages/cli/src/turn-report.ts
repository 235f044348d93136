import {
  type AgentState,
  type Answer,
  ConfigurationError,
  costOf,
  createPrefixMeter,
  detectAffect,
  type GMI,
  KEYS,
  type Limit,
  type Logged,
  type PendingRequest,
  type PrefixFigures,
  readRecord,
  SEED_PRICES,
  type Stored,
  type TurnEvent,
  type TurnResult,
  textOf,
} from '@x/agentos';
import { inWords } from './answer-form.js';

type StateView = Pick<AgentState, 'mood' | 'skill' | 'complexity'>;

/** Everything that the demo tells of one turn; `--json` prints it as one line. */
export interface TurnReport {
  readonly turn: number;
  readonly user: string;
  readonly source?: string | undefined;
  /** `pending` waits for a human, `incomplete` met a limit. */
  readonly status: TurnResult['status'];
  readonly limit?: Limit | undefined;
  /** With which word of a human this part of the turn began. */
  readonly answer?: string | undefined;
  /** The question that it waits with, and the tool that asks. */
  readonly pending?: PendingRequest | undefined;
  readonly askedBy?: string | undefined;
  /** The score that the turn was judged by; `null` when unknown, or when the persona is not scored. */
  readonly score: number | null;
  /** Words and rules that the score rests on, where it is one of rules. */
  readonly evidence: readonly string[];
  readonly events: readonly string[];
  /** Metaprompts that this turn set off. */
  readonly fired: readonly string[];
  readonly stateBefore: StateView;
  /** After the turn and its background work. */
  readonly stateAfter: StateView;
  /** Of the whole turn, also where this report is of what followed an answer. */
  readonly changes: readonly {
    readonly what: string;
    readonly from: unknown;
    readonly to: unknown;
    readonly by: string;
    readonly why: string;
  }[];
  readonly elements: { readonly inPrompt: readonly string[]; readonly entered: readonly string[]; readonly left: readonly string[] };
  readonly prefix: readonly PrefixFigures[];
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars at the seed's price of gpt-4o-mini; with the offline model nothing was paid. */
  readonly costUsd: number;
  /** What its tools gave, in at most 300 characters each; the call that waits is not among them. */
  readonly tools: readonly { readonly id: string; readonly name: string; readonly output: string; readonly isError: boolean }[];
  readonly reply: string;
}

export interface SayOptions {
  readonly source?: string | undefined;
  /** The id of the turn; default random. */
  readonly id?: string | undefined;
  readonly onText?: ((delta: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Runs a turn from what was said to it, or goes on with the one that waits for this answer, and reports it. */
export type Reporter = (said: string | Answer, options?: SayOptions) => Promise<TurnReport>;

/**
 * Runs turns on a GMI and reports each, background work included. A turn that waits for a human is reported twice under
 * one number: up to its question, and from the answer on.
 *
 * @param from - Where an earlier reporter of the same session stopped.
 */
export function createReporter(
  gmi: GMI,
  from: { readonly turn: number; readonly elements: readonly string[] } = { turn: 0, elements: [] },
): Reporter {
  const meter = createPrefixMeter();
  let elementsBefore = from.elements;
  let turn = from.turn;
  // A long session has thousands of operations; those of earlier turns are not read again.
  let lastOperation: string | undefined;
  let beforeTurn: string | undefined;
  return async (said, { source, id, onText, signal } = {}) => {
    const prefix: PrefixFigures[] = [];
    const session = await gmi.session();
    const before = await session.history();
    const onEvent = (event: TurnEvent): void => {
      if (event.type === 'step-start') prefix.push(meter(event));
      else if (event.type === 'text-delta') onText?.(event.text);
    };
    let result: TurnResult | undefined;
    if (typeof said === 'string') {
      for await (const event of gmi.processTurn({ content: said, id, signal })) {
        if (event.type === 'turn-end') result = event.result;
        else onEvent(event);
      }
      turn += 1;
      beforeTurn = lastOperation;
    } else result = await session.resume(said, { onEvent, signal });
    if (!result) throw new ConfigurationError('The turn ended without a result. Give the reporter a GMI that runs its turns to their end.');
    await gmi.drain();
    const logged: Logged[] = [];
    for await (const entry of session.operations({ after: beforeTurn })) logged.push(entry);
    lastOperation = logged.at(-1)?.id ?? lastOperation;
    const inPrompt = elementsIn(gmi, result);
    const elements = {
      inPrompt,
      entered: inPrompt.filter((id) => !elementsBefore.includes(id)),
      left: elementsBefore.filter((id) => !inPrompt.includes(id)),
    };
    elementsBefore = inPrompt;
    const [input] = result.messages;
    const text = typeof said === 'string' ? said : input ? textOf(input) : '';
    return {
      turn,
      user: text,
      source,
      status: result.status,
      limit: result.limit,
      answer: typeof said === 'string' ? undefined : inWords(said),
      pending: result.pending,
      askedBy: result.pending && askedBy(result),
      ...scoreOf(gmi, result, { text, before }),
      events: result.events.map(({ eventType }) => eventType),
      fired: result.batches.flatMap(({ items }) => items.map(({ id }) => id)),
      stateBefore: view(result.state.before),
      stateAfter: view(await gmi.state()),
      changes: changesOf(logged, result),
      elements,
      prefix,
      inputTokens: result.usage.inputTokens,
      outputTokens: result.usage.outputTokens,
      costUsd: costOf(result.usage, 'gpt-4o-mini', SEED_PRICES) ?? 0,
      tools: result.toolCalls.map(({ id, name, output, isError }) => ({ id, name, output: shortened(output), isError })),
      reply: result.text,
    };
  };
}

/** The tool of the one call that has no result. */
function askedBy({ messages }: TurnResult): string | undefined {
  const settled = new Set(messages.map((message) => message.tool_call_id));
  return messages.flatMap((message) => message.tool_calls ?? []).find(({ id }) => !settled.has(id))?.function.name;
}

// Half of a surrogate pair is no text.
const shortened = (text: string): string => (text.length > 300 ? `${text.slice(0, 299).replace(/[\uD800-\uDBFF]$/, '')}…` : text);

const view = ({ mood, skill, complexity }: AgentState): StateView => ({ mood, skill, complexity });

/** Messages that the analyser was shown beside the user's. */
const CONTEXT_TURNS = 4;

// The lane keeps the score but not the words. They are looked up anew, and told only where that comes to the same score.
function scoreOf(
  gmi: GMI,
  { id, state }: TurnResult,
  { text, before }: { readonly text: string; readonly before: readonly Stored[] },
): Pick<TurnReport, 'score' | 'evidence'> {
  const { trends } = readRecord(state.after.values[KEYS.sentimentHistory]);
  const score = trends.findLast(({ turnId }) => turnId === id)?.score ?? null;
  if (score === null || gmi.persona.sentimentTracking?.method !== undefined) return { score, evidence: [] };
  const context = before
    .filter(({ role, origin }) => role === 'assistant' || (role === 'user' && origin === 'user'))
    .map((message) => ({ role: message.role as 'user' | 'assistant', text: textOf(message) }))
    .filter((turn) => turn.role === 'user' || turn.text !== '')
    .slice(-CONTEXT_TURNS);
  const { score: again, evidence } = detectAffect(text, { context, language: state.after.language });
  const words = evidence.filter(({ weight }) => weight !== 0).map((each) => each.text);
  return { score, evidence: again === score ? [...new Set(words)].slice(0, 6) : [] };
}

// The prompt is text by now; an element is in it when its content is.
function elementsIn(gmi: GMI, { parts }: TurnResult): readonly string[] {
  const text = [...Object.values(parts.stable), ...Object.values(parts.volatile)].join('\n');
  return (gmi.persona.contextualPromptElements ?? []).filter(({ content }) => text.includes(content)).map(({ id, type }) => id ?? type);
}

// What the turn and its background work changed of mood, skill, complexity, language, domain, imprints and traits.
function changesOf(logged: readonly Logged[], { id, batches }: TurnResult): TurnReport['changes'] {
  const turns = new Set([id, ...batches.map((batch) => batch.id)]);
  const changes = logged.filter(({ turn }) => turns.has(turn));
  return changes.flatMap(({ operation, from, to, by, why }) => {
    const what =
      'set' in operation
        ? operation.set
        : 'imprint' in operation
          ? `imprint ${operation.imprint}`
          : 'trait' in operation
            ? operation.trait
            : undefined;
    return what === undefined || JSON.stringify(from) === JSON.stringify(to) ? [] : [{ what, from, to, by, why }];
  });
}
