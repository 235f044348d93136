import {
  type Answer,
  type CacheBreak,
  type ChatMessage,
  createId,
  isAgentosError,
  isPromiseLike,
  type ModelRequest,
  type Stored,
} from '@x/core';
import { askModel, type ModelAnswer } from './ask-model.js';
import { RequestInvalidError } from './errors.js';
import { callHook, faultText } from './hook-list.js';
import { nameBreak } from './prefix-memory.js';
import { repairPairs } from './repair-pairs.js';
import { rewriteHistory } from './rewrite-history.js';
import { refuseCall, runTools, settleCall, type ToolOutcome } from './run-tools.js';
import type { Limit, StepEvent } from './session-types.js';
import type { OpenCall, StepsInput } from './steps-input.js';
import type { StepsOutcome, Tally } from './tally.js';

/** Answers in a row that were cut off while calling tools. The figure is ours. */
const MAX_CUT_ANSWERS = 2;

/** The steps of a turn up to its end or its next question. */
export class StepRun {
  readonly #input: StepsInput;
  readonly #tally: Tally;
  #folded = false;
  #cutAnswers = 0;
  /** What the running step has said so far. */
  #partial = '';

  constructor(input: StepsInput, tally: Tally) {
    this.#input = input;
    this.#tally = tally;
  }

  /** What was said up to the time limit is kept. */
  outOfTime(): StepsOutcome {
    if (this.#partial !== '') {
      this.#tally.text = this.#partial;
      this.#append([{ role: 'assistant', content: this.#partial }]);
    }
    const { place } = this.#input;
    const [input, ...rest] = place.layout.current;
    place.layout = { ...place.layout, current: [input, ...repairPairs(rest)] };
    return this.#tally.end('incomplete', { limit: 'maxWallMs' });
  }

  async go(): Promise<StepsOutcome> {
    const { open } = this.#input;
    if (open) {
      const ended = await this.#goOn(open);
      if (ended) return ended;
    }
    for (;;) {
      this.#input.signal.throwIfAborted();
      const limit = this.#limitReached();
      if (limit) return this.#tally.end('incomplete', { limit });
      const ended = await this.#settle(await this.#ask());
      if (ended) return ended;
    }
  }

  #limitReached(): Limit | undefined {
    const { budgets, meter } = this.#input;
    const { maxSteps = 10, maxTokens = Number.POSITIVE_INFINITY } = budgets;
    if (this.#tally.steps >= maxSteps) return 'maxSteps';
    if (this.#tally.tokens >= maxTokens) return 'maxTokens';
    return meter?.exhausted();
  }

  /** The call that waited gets its result; the finished calls beside it keep theirs. */
  async #goOn({ callId, answer, settled, onCalled, onResult }: OpenCall): Promise<StepsOutcome | undefined> {
    const call = this.#input.place.layout.current.flatMap((message) => message.tool_calls ?? []).find((item) => item.id === callId);
    if (!call) return undefined;
    if (settled) return this.#record([settleCall(call, settled)], answer);
    const [outcome] = await runTools([call], 0, { ...this.#input, onCalled }, answer);
    if (outcome && !outcome.pending) onResult?.({ output: outcome.record.output, isError: outcome.record.isError });
    return this.#record(outcome ? [outcome] : [], answer);
  }

  async #ask(): Promise<ModelAnswer> {
    const { place, model, prefix, overhead, emit, isHeard, signal, hooks, view, onFault } = this.#input;
    const step = this.#tally.steps;
    await this.#beforeLlm(step);
    const { messages, tools, blocks, senderLeft } = this.#input.layOut(place.layout, model.capabilities, {
      lend: model.borrows === true && !isHeard,
    });
    place.layout = { ...place.layout, blocks };
    const request = { messages, tools };
    const issue = this.#input.check(request.messages);
    if (issue) throw new RequestInvalidError({ index: issue.index, problem: issue.message });
    const named: CacheBreak | undefined = nameBreak(prefix, { layout: place.layout, model, folded: this.#folded, senderLeft });
    this.#folded = false;
    emit({ type: 'step-start', step, request, ...(named && { break: named }), overheadTokens: overhead(place.layout) });
    this.#input.journal?.({
      kind: 'request',
      step,
      model: model.modelId,
      body: JSON.stringify(request),
    });
    const answer = await this.#askModel(request, step);
    this.#partial = '';
    const tokens = this.#tally.addStep(answer, request.messages);
    this.#input.meter?.spend({ tokens, steps: 1, toolCalls: 0 });
    this.#append([answer.message]);
    this.#input.journal?.({ kind: 'model', step, message: JSON.parse(JSON.stringify(answer.message)), finish: answer.finish });
    emit({ type: 'step-end', step, finish: answer.finish, usage: answer.usage });
    for (const entry of hooks) {
      if (!entry.hook.afterLLM) continue;
      const event = { response: answer.message, model: model.modelId, turn: step, context: view?.(entry.name) };
      const asked = callHook(entry, 'afterLLM', () => entry.hook.afterLLM?.(event), { signal, onFault });
      if (isPromiseLike(asked)) await asked;
    }
    return answer;
  }

  /** A stream that broke after its first event is asked for once more: finished tools keep their results. */
  async #askModel(request: Pick<ModelRequest, 'messages' | 'tools'>, step: number): Promise<ModelAnswer> {
    const { model, generation, signal, clock, metric, emit } = this.#input;
    for (let retried = false; ; retried = true) {
      const startMs = clock.now();
      let began = false;
      const pass = (event: StepEvent): void => {
        began = true;
        if (event.type === 'text-delta') this.#partial += event.text;
        emit(event);
      };
      try {
        const answer = await askModel(model, { ...request, ...generation }, { signal, step, emit: pass });
        const { inputTokens, outputTokens } = answer.usage;
        const ms = clock.now() - startMs;
        metric({ type: 'llm', model: model.modelId, status: 'ok', ms, promptTokens: inputTokens, completionTokens: outputTokens });
        return answer;
      } catch (error) {
        metric({ type: 'llm', model: model.modelId, status: 'error', ms: clock.now() - startMs });
        if (signal.aborted || retried || !began || !isAgentosError(error) || !error.retryable) throw error;
        this.#partial = '';
        emit({ type: 'step-retry', step, problem: faultText(error) });
      }
    }
  }

  async #beforeLlm(step: number): Promise<void> {
    const { place, model, hooks, view, signal, onFault, overhead } = this.#input;
    for (const entry of hooks) {
      if (!entry.hook.beforeLLM) continue;
      const { layout } = place;
      const event = {
        messages: layout.history.concat(layout.current),
        tools: layout.tools,
        model: model.modelId,
        turn: step,
        overheadTokens: overhead(layout),
        context: view?.(entry.name),
      };
      const asked = callHook(entry, 'beforeLLM', () => entry.hook.beforeLLM?.(event), { signal, onFault });
      const said = isPromiseLike(asked) ? await asked : asked;
      if (said?.tools) place.layout = { ...place.layout, tools: [...said.tools].sort((a, b) => (a.name < b.name ? -1 : 1)) };
      if (said?.messages) this.#rewrite(said.messages, entry.name, entry.host);
    }
  }

  #rewrite(messages: readonly ChatMessage[], hook: string, host: boolean): void {
    const { place, onFault, random } = this.#input;
    try {
      const rewritten = rewriteHistory(place.layout, messages, { hook, newId: () => createId('msg', random) });
      if (!rewritten) return;
      place.layout = { ...place.layout, history: rewritten.history, current: rewritten.current };
      this.#tally.folded ||= rewritten.folded;
      this.#folded ||= rewritten.folded;
    } catch (error) {
      if (host) throw error;
      onFault(`beforeLLM of ${hook} returned a list that cannot be sent and was left out`, error);
    }
  }

  async #settle({ calls, finish }: ModelAnswer): Promise<StepsOutcome | undefined> {
    if (finish === 'refused') {
      await this.#record(calls.map((call) => refuseCall(call, 'Not run: the provider refused this answer.')));
      return this.#tally.end('incomplete', { limit: 'refused' });
    }
    if (finish === 'length') {
      this.#cutAnswers += 1;
      if (calls.length === 0) return this.#tally.end('incomplete', { limit: 'maxOutputTokens' });
      await this.#record(
        calls.map((call) => refuseCall(call, 'Not run: the answer was cut off at the output limit. Use shorter arguments.')),
      );
      return this.#cutAnswers >= MAX_CUT_ANSWERS ? this.#tally.end('incomplete', { limit: 'maxOutputTokens' }) : undefined;
    }
    this.#cutAnswers = 0;
    if (calls.length === 0) return this.#tally.end('done');
    const { budgets, meter } = this.#input;
    const left = Math.min((budgets.maxToolCalls ?? 64) - this.#tally.toolCalls.length, meter?.toolCallsLeft() ?? Number.POSITIVE_INFINITY);
    const allowed = calls.slice(0, Math.max(0, left));
    meter?.spend({ tokens: 0, steps: 0, toolCalls: allowed.length });
    const outcomes = await runTools(allowed, this.#tally.steps - 1, this.#input);
    const refused = calls.slice(allowed.length).map((call) => refuseCall(call, 'Not run: no tool calls are left.'));
    const ended = await this.#record([...outcomes, ...refused]);
    return ended ?? (refused.length > 0 ? this.#tally.end('incomplete', { limit: 'maxToolCalls' }) : undefined);
  }

  /** Results enter the transcript in the order of the calls; the first question parks the turn. */
  async #record(given: readonly ToolOutcome[], answer?: Answer | undefined): Promise<StepsOutcome | undefined> {
    const outcomes = given.map((outcome) => (answer && outcome.pending?.id === answer.id ? unresolved(outcome) : outcome));
    const waiting = outcomes.find((outcome) => outcome.pending);
    const settled = outcomes
      .filter((outcome) => outcome !== waiting)
      .map((outcome) =>
        outcome.pending
          ? refuseCall(
              outcome.call,
              'Stopped at a question, because another one to the user is open. What it did before stands; call again after the other was answered.',
            )
          : outcome,
      );
    const stuck = this.#tally.addCalls(settled.map((outcome) => outcome.record));
    this.#append(settled.map(({ call, record }) => ({ role: 'tool', tool_call_id: call.id, content: record.output })));
    for (const { record } of settled) {
      this.#input.journal?.({ kind: 'tool', id: record.id, name: record.name, output: record.output, isError: record.isError });
    }
    if (waiting?.pending) return this.#tally.end('pending', { pending: { request: waiting.pending, callId: waiting.call.id } });
    return stuck ? this.#tally.end('incomplete', { limit: 'repeatedFailure' }) : undefined;
  }

  #append(messages: readonly (Omit<ChatMessage, 'id' | 'origin'> & { readonly role: 'assistant' | 'tool' })[]): void {
    if (messages.length === 0) return;
    const { place, random } = this.#input;
    const stored = messages.map((message): Stored => ({ id: createId('msg', random), origin: message.role, ...message }));
    place.layout = { ...place.layout, current: [...place.layout.current, ...stored] };
  }
}

function unresolved(outcome: ToolOutcome): ToolOutcome {
  return refuseCall(outcome.call, `unresolved: ${outcome.pending?.prompt ?? ''}`);
}
