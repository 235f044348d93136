import {
  type Answer,
  type CacheBreak,
  type ChatMessage,
  createId,
  type IChatModel,
  type Json,
  type Layout,
  layoutMessages,
  type ModelRequest,
  nextBlocks,
  type PendingRequest,
  type Random,
  type Stored,
  validateMessages,
} from '@x/core';
import { askModel, type ModelAnswer } from './ask-model.js';
import { RequestInvalidError } from './errors.js';
import { roughTokens } from './estimate-tokens.js';
import { callHook } from './hook-list.js';
import { nameBreak, type PrefixMemory } from './prefix-memory.js';
import { repairPairs } from './repair-pairs.js';
import { rewriteHistory } from './rewrite-history.js';
import { refuseCall, runTools, type ToolOutcome, type ToolRunner } from './run-tools.js';
import type { Budgets, Limit, RunUsage, ToolCallRecord, TurnEvent } from './session-types.js';

/** Identical failing calls after which a turn stops. The figure is ours. */
const MAX_SAME_FAILURES = 3;
/** Answers in a row that were cut off while calling tools. The figure is ours. */
const MAX_CUT_ANSWERS = 2;

export interface StepsInput extends Omit<ToolRunner, 'signal'> {
  /** Read and replaced in place as the turn goes on. */
  readonly place: { layout: Layout };
  readonly model: IChatModel;
  readonly generation: Pick<ModelRequest, 'temperature' | 'maxOutputTokens'>;
  readonly budgets: Budgets;
  readonly prefix: PrefixMemory;
  readonly overhead: (layout: Layout) => number;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** The reason that `signal` has when the time limit was reached. */
  readonly wallReason: unknown;
  /** Present when a parked turn goes on: the call that waited, and what to do with it. */
  readonly open?: { readonly callId: string; readonly answer: Answer; readonly refusal?: string | undefined } | undefined;
  readonly journal?: ((entry: Json) => void) | undefined;
}

export interface StepsOutcome {
  readonly status: 'done' | 'pending' | 'incomplete';
  readonly limit?: Limit | undefined;
  readonly pending?: { readonly request: PendingRequest; readonly callId: string } | undefined;
  readonly text: string;
  readonly usage: RunUsage;
  readonly steps: number;
  readonly toolCalls: readonly ToolCallRecord[];
  /** True when a hook replaced the history. */
  readonly folded: boolean;
  readonly toolFailed: boolean;
}

/**
 * Asks the model and runs its tools until it answers, a budget is used up, or a tool waits for a human.
 *
 * @throws What model and hooks throw; `stop.reason`. A time limit is no failure: the outcome is `incomplete`.
 */
export async function runSteps(input: StepsInput): Promise<StepsOutcome> {
  const run = new StepRun(input);
  try {
    return await run.go();
  } catch (error) {
    if (!input.stop.aborted && input.signal.aborted && input.signal.reason === input.wallReason) return run.outOfTime();
    throw error;
  }
}

class StepRun {
  readonly #input: StepsInput;
  readonly #toolCalls: ToolCallRecord[] = [];
  readonly #failures = new Map<string, number>();
  #usage: RunUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, counted: true };
  #steps = 0;
  #text = '';
  #folded = false;
  #foldedNow = false;
  #cutAnswers = 0;
  #partial = '';

  constructor(input: StepsInput) {
    this.#input = input;
  }

  end(status: StepsOutcome['status'], more: Pick<StepsOutcome, 'limit' | 'pending'> = {}): StepsOutcome {
    return {
      status,
      ...more,
      text: more.pending?.request.prompt ?? this.#text,
      usage: this.#usage,
      steps: this.#steps,
      toolCalls: this.#toolCalls,
      folded: this.#folded,
      toolFailed: this.#toolCalls.some((call) => call.isError),
    };
  }

  /** What was said up to the time limit is kept. */
  outOfTime(): StepsOutcome {
    if (this.#partial !== '') {
      this.#text = this.#partial;
      this.#append([{ role: 'assistant', content: this.#partial }]);
    }
    const { place } = this.#input;
    const [input, ...rest] = place.layout.current;
    place.layout = { ...place.layout, current: [input, ...repairPairs(rest)] };
    return this.end('incomplete', { limit: 'maxWallMs' });
  }

  async go(): Promise<StepsOutcome> {
    const { budgets, open } = this.#input;
    const { maxSteps = 10, maxTokens = Number.POSITIVE_INFINITY } = budgets;
    if (open) {
      const ended = await this.#goOn(open);
      if (ended) return ended;
    }
    for (;;) {
      this.#input.signal.throwIfAborted();
      if (this.#steps >= maxSteps) return this.end('incomplete', { limit: 'maxSteps' });
      if (this.#usage.inputTokens + this.#usage.outputTokens >= maxTokens) return this.end('incomplete', { limit: 'maxTokens' });
      const answer = await this.#ask();
      const ended = await this.#settle(answer);
      if (ended) return ended;
    }
  }

  /** The call that waited gets its result; the finished calls beside it keep theirs. */
  async #goOn({ callId, answer, refusal }: NonNullable<StepsInput['open']>): Promise<StepsOutcome | undefined> {
    const call = this.#input.place.layout.current.flatMap((message) => message.tool_calls ?? []).find((item) => item.id === callId);
    if (!call) return undefined;
    const outcomes = refusal === undefined ? await runTools([call], 0, this.#input, answer) : [refuseCall(call, refusal)];
    return this.#record(outcomes, answer);
  }

  async #ask(): Promise<ModelAnswer> {
    const { place, model, generation, prefix, overhead, emit, signal, hooks, view, onFault, clock } = this.#input;
    const step = this.#steps;
    await this.#beforeLlm(step);
    place.layout = { ...place.layout, blocks: nextBlocks(place.layout) };
    const { messages, tools } = layoutMessages(place.layout, model.capabilities);
    const issue = validateMessages(messages)[0];
    if (issue) throw new RequestInvalidError({ index: issue.index, problem: issue.message });
    const named: CacheBreak | undefined = nameBreak(prefix, { layout: place.layout, model, folded: this.#foldedNow });
    this.#foldedNow = false;
    emit({
      type: 'step-start',
      step,
      request: { messages, tools },
      ...(named && { break: named }),
      overheadTokens: overhead(place.layout),
    });
    const startMs = clock.now();
    let answer: ModelAnswer;
    try {
      answer = await askModel(model, { messages, tools, ...generation }, { signal, step, emit: (event) => this.#pass(event) });
    } catch (error) {
      this.#input.metric({ type: 'llm', model: model.modelId, status: 'error', ms: clock.now() - startMs });
      throw error;
    }
    this.#partial = '';
    this.#steps += 1;
    this.#count(answer, messages);
    const { usage, finish } = answer;
    this.#input.metric({
      type: 'llm',
      model: model.modelId,
      status: 'ok',
      ms: clock.now() - startMs,
      promptTokens: usage.inputTokens,
      completionTokens: usage.outputTokens,
    });
    if (answer.text !== '') this.#text = answer.text;
    this.#append([answer.message]);
    this.#input.journal?.({ kind: 'model', step, message: JSON.parse(JSON.stringify(answer.message)), finish });
    emit({ type: 'step-end', step, finish, usage });
    for (const entry of hooks) {
      if (!entry.hook.afterLLM) continue;
      const event = { response: answer.message, model: model.modelId, turn: step, context: view?.(entry.name) };
      await callHook(entry, 'afterLLM', () => entry.hook.afterLLM?.(event), { signal, onFault });
    }
    return answer;
  }

  #pass(event: TurnEvent): void {
    if (event.type === 'text-delta') this.#partial += event.text;
    this.#input.emit(event);
  }

  async #beforeLlm(step: number): Promise<void> {
    const { place, model, hooks, view, signal, onFault, overhead, random } = this.#input;
    for (const entry of hooks) {
      if (!entry.hook.beforeLLM) continue;
      const { layout } = place;
      const event = {
        messages: [...layout.history, ...layout.current],
        tools: layout.tools,
        model: model.modelId,
        turn: step,
        overheadTokens: overhead(layout),
        context: view?.(entry.name),
      };
      const said = await callHook(entry, 'beforeLLM', () => entry.hook.beforeLLM?.(event), { signal, onFault });
      if (said?.tools) place.layout = { ...place.layout, tools: [...said.tools].sort((a, b) => (a.name < b.name ? -1 : 1)) };
      if (said?.messages) this.#rewrite(said.messages, entry.name, entry.host, () => createId('msg', random));
    }
  }

  #rewrite(messages: readonly ChatMessage[], hook: string, host: boolean, newId: () => string): void {
    const { place, onFault } = this.#input;
    try {
      const rewritten = rewriteHistory(place.layout, messages, { hook, newId });
      if (!rewritten) return;
      place.layout = { ...place.layout, history: rewritten.history, current: rewritten.current };
      this.#folded ||= rewritten.folded;
      this.#foldedNow ||= rewritten.folded;
    } catch (error) {
      if (host) throw error;
      onFault(`beforeLLM of ${hook} returned a list that cannot be sent and was left out`, error);
    }
  }

  async #settle({ calls, finish }: ModelAnswer): Promise<StepsOutcome | undefined> {
    if (finish === 'refused') {
      this.#append(resultMessages(calls.map((call) => refuseCall(call, 'Not run: the provider refused this answer.'))));
      return this.end('incomplete', { limit: 'refused' });
    }
    if (finish === 'length') {
      this.#cutAnswers += 1;
      if (calls.length === 0) return this.end('incomplete', { limit: 'maxOutputTokens' });
      const cut = calls.map((call) => refuseCall(call, 'Not run: the answer was cut off at the output limit. Use shorter arguments.'));
      await this.#record(cut);
      return this.#cutAnswers >= MAX_CUT_ANSWERS ? this.end('incomplete', { limit: 'maxOutputTokens' }) : undefined;
    }
    this.#cutAnswers = 0;
    if (calls.length === 0) return this.end('done');
    const { maxToolCalls = 64 } = this.#input.budgets;
    const allowed = Math.max(0, maxToolCalls - this.#toolCalls.length);
    const outcomes = await runTools(calls.slice(0, allowed), this.#steps - 1, this.#input);
    const refused = calls.slice(allowed).map((call) => refuseCall(call, 'Not run: no tool calls are left in this turn.'));
    const ended = await this.#record([...outcomes, ...refused]);
    return ended ?? (refused.length > 0 ? this.end('incomplete', { limit: 'maxToolCalls' }) : undefined);
  }

  /** Results enter the transcript in the order of the calls; the first question parks the turn. */
  async #record(given: readonly ToolOutcome[], answer?: Answer | undefined): Promise<StepsOutcome | undefined> {
    const outcomes = given.map((outcome) => (outcome.pending?.id === answer?.id && answer ? unresolved(outcome) : outcome));
    const waiting = outcomes.find((outcome) => outcome.pending);
    const finished = outcomes.map((outcome) =>
      outcome.pending && outcome !== waiting
        ? refuseCall(outcome.call, 'Not run: another question to the user is open. Call again after it was answered.')
        : outcome,
    );
    const settled = finished.filter((outcome) => outcome !== waiting);
    this.#toolCalls.push(...settled.map((outcome) => outcome.record));
    this.#append(resultMessages(settled));
    for (const { record } of settled)
      this.#input.journal?.({ kind: 'tool', id: record.id, name: record.name, output: record.output, isError: record.isError });
    if (waiting?.pending) return this.end('pending', { pending: { request: waiting.pending, callId: waiting.call.id } });
    for (const { record } of settled) if (this.#failedAgain(record)) return this.end('incomplete', { limit: 'repeatedFailure' });
    return undefined;
  }

  #failedAgain({ name, args, output, isError }: ToolCallRecord): boolean {
    if (!isError) return false;
    const key = JSON.stringify([name, args, output]);
    const times = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, times);
    return times >= MAX_SAME_FAILURES;
  }

  #append(messages: readonly (ChatMessage & { readonly role: 'assistant' | 'tool' })[]): void {
    const { place, random } = this.#input;
    const stored = messages.map((message): Stored => ({ ...message, id: createId('msg', random), origin: message.role }));
    place.layout = { ...place.layout, current: [place.layout.current[0], ...place.layout.current.slice(1), ...stored] };
  }

  #count({ usage, text, calls }: ModelAnswer, messages: readonly ChatMessage[]): void {
    const known = usage.inputTokens !== undefined && usage.outputTokens !== undefined;
    const input = usage.inputTokens ?? roughTokens(JSON.stringify(messages));
    const output = usage.outputTokens ?? roughTokens(text + calls.map((call) => call.function.arguments).join(''));
    const before = this.#usage;
    this.#usage = {
      inputTokens: before.inputTokens + input,
      outputTokens: before.outputTokens + output,
      cachedTokens: before.cachedTokens + (usage.cachedTokens ?? 0),
      counted: before.counted && known,
    };
  }
}

function unresolved(outcome: ToolOutcome): ToolOutcome {
  return refuseCall(outcome.call, `unresolved: ${outcome.pending?.prompt ?? ''}`);
}

function resultMessages(outcomes: readonly ToolOutcome[]): readonly (ChatMessage & { readonly role: 'tool' })[] {
  return outcomes.map(({ call, record }) => ({ role: 'tool', tool_call_id: call.id, content: record.output }));
}
