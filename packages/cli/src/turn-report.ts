import {
  type AgentState,
  ConfigurationError,
  costOf,
  createPrefixMeter,
  detectAffect,
  type GMI,
  KEYS,
  type Logged,
  type PrefixFigures,
  readRecord,
  SEED_PRICES,
  type Stored,
  type TurnResult,
  textOf,
} from '@x/agentos';

type StateView = Pick<AgentState, 'mood' | 'skill' | 'complexity'>;

/** Everything that the demo tells of one turn; `--json` prints it as one line. */
export interface TurnReport {
  readonly turn: number;
  readonly user: string;
  readonly source?: string | undefined;
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
  readonly reply: string;
}

export interface SayOptions {
  readonly source?: string | undefined;
  /** The id of the turn; default random. */
  readonly id?: string | undefined;
  readonly onText?: ((delta: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs turns on a GMI and reports each, background work included.
 *
 * @param from - Where an earlier reporter of the same session stopped.
 */
export function createReporter(
  gmi: GMI,
  from: { readonly turn: number; readonly elements: readonly string[] } = { turn: 0, elements: [] },
): (text: string, options?: SayOptions) => Promise<TurnReport> {
  const meter = createPrefixMeter();
  let elementsBefore = from.elements;
  let turn = from.turn;
  // A long session has thousands of operations; those of earlier turns are not read again.
  let lastOperation: string | undefined;
  return async (text, { source, id, onText, signal } = {}) => {
    turn += 1;
    const prefix: PrefixFigures[] = [];
    const session = await gmi.session();
    const before = await session.history();
    let result: TurnResult | undefined;
    for await (const event of gmi.processTurn({ content: text, id, signal })) {
      if (event.type === 'step-start') prefix.push(meter(event));
      else if (event.type === 'text-delta') onText?.(event.text);
      else if (event.type === 'turn-end') result = event.result;
    }
    if (!result) throw new ConfigurationError('The turn ended without a result. Give the reporter a GMI that runs its turns to their end.');
    await gmi.drain();
    const logged: Logged[] = [];
    for await (const entry of session.operations({ after: lastOperation })) logged.push(entry);
    lastOperation = logged.at(-1)?.id ?? lastOperation;
    const inPrompt = elementsIn(gmi, result);
    const elements = {
      inPrompt,
      entered: inPrompt.filter((id) => !elementsBefore.includes(id)),
      left: elementsBefore.filter((id) => !inPrompt.includes(id)),
    };
    elementsBefore = inPrompt;
    return {
      turn,
      user: text,
      source,
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
      reply: result.text,
    };
  };
}

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
