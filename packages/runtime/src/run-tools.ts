import {
  type Answer,
  type Clock,
  type ITool,
  isPromiseLike,
  type PendingRequest,
  pendingOf,
  raceAbort,
  resultOf,
  type ToolCall,
  type ToolResult,
  type Turn,
} from '@x/core';
import { type Followers, followTogether } from './abort.js';
import { TurnTimeoutError } from './errors.js';
import { type CallOptions, callHook, faultText, type HookEntry } from './hook-list.js';
import type { Metric, StepEvent, ToolCallRecord } from './session-types.js';
import { unknownTool } from './tally.js';
import { asResult, thrownText } from './tool-outcome.js';
import { readArguments } from './tool-set.js';

export type AskedCall = ToolCall & { readonly unparseable?: string | undefined };

/** What running tools needs of the turn around it. */
export interface ToolRunner {
  readonly tools: ReadonlyMap<string, ITool>;
  readonly hooks: readonly HookEntry[];
  /** The turn as the named hook or tool sees it. */
  readonly view?: ((by: string) => Turn) | undefined;
  /** Aborted with the turn, also by its time limit. */
  readonly signal: AbortSignal;
  /** Aborted by the caller only. */
  readonly stop: AbortSignal;
  readonly clock: Clock;
  readonly toolTimeoutMs: number;
  emit(event: StepEvent): void;
  metric(metric: Metric): void;
  onFault: CallOptions['onFault'];
  /** Called right before a tool is: from here on it may have taken effect. */
  readonly onCalled?: (() => void) | undefined;
}

export interface ToolOutcome {
  readonly call: AskedCall;
  readonly record: ToolCallRecord;
  readonly pending?: PendingRequest | undefined;
}

/**
 * Runs the calls of one step at the same time.
 *
 * @returns One outcome per call, in the order of the calls: failure, time-out and unknown name are results too.
 * @throws `hook_failed`, and `stop.reason` when the caller gave up.
 */
export async function runTools(
  calls: readonly AskedCall[],
  step: number,
  runner: ToolRunner,
  answer?: Answer | undefined,
): Promise<readonly ToolOutcome[]> {
  const together = followTogether(runner.signal);
  try {
    return await Promise.all(calls.map((call) => runTool(call, step, runner, together, answer)));
  } catch (error) {
    together.abortAll(error);
    throw error;
  } finally {
    together.release();
  }
}

/** The outcome of a call that is not run. */
export function refuseCall(call: AskedCall, output: string): ToolOutcome {
  return settleCall(call, { output, isError: true });
}

/** The outcome of a call whose result is known without running it. */
export function settleCall(call: AskedCall, { output, isError }: { readonly output: string; readonly isError: boolean }): ToolOutcome {
  return { call, record: { id: call.id, name: call.function.name, args: call.function.arguments, output, isError, ms: 0 } };
}

/** A tool that hands the answer on to a session of its own, whose claim keeps it from being used twice. */
export interface RelayingTool {
  readonly relaysAnswer: true;
}

export function relaysAnswer(tool: ITool | undefined): boolean {
  return (tool as Partial<RelayingTool> | undefined)?.relaysAnswer === true;
}

async function runTool(
  call: AskedCall,
  step: number,
  runner: ToolRunner,
  together: Followers,
  answer: Answer | undefined,
): Promise<ToolOutcome> {
  const { clock, emit, metric } = runner;
  const { name } = call.function;
  const startMs = clock.now();
  const tool = runner.tools.get(name);
  let args: unknown = call.function.arguments;
  let result: ToolResult;
  let started = false;
  const start = (): void => {
    if (!started) emit({ type: 'tool-call-start', step, id: call.id, name, args });
    started = true;
  };
  if (!tool) {
    start();
    result = { output: unknownTool(name, runner.tools.keys()), isError: true };
  } else {
    const read = await readArguments(call, tool);
    if ('args' in read) args = read.args;
    start();
    if ('problem' in read) result = { output: `${read.problem} Call ${name} again with corrected arguments.`, isError: true };
    else {
      const guarded = await beforeTool(call, args, step, runner, answer);
      args = guarded.args;
      result = guarded.result ?? (await execute(tool, args, call, runner, together, answer));
    }
  }
  const pending = pendingOf(result);
  if (!pending && tool) result = await afterTool(call, args, result, step, runner);
  const { output, isError } = resultOf(result);
  const metadata = typeof result === 'string' ? undefined : result.metadata;
  const ms = clock.now() - startMs;
  emit({ type: 'tool-call-end', step, id: call.id, name, output, isError: pending ? false : isError, ...(pending && { pending }), ms });
  metric({
    type: 'tool',
    tool: name,
    source: tool ? 'native' : 'unknown',
    isError: pending ? false : isError,
    ms,
    ...(pending && { pending: true }),
  });
  return { call, record: { id: call.id, name, args, output, isError, ...(metadata && { metadata }), ms }, ...(pending && { pending }) };
}

async function beforeTool(
  call: AskedCall,
  given: unknown,
  step: number,
  runner: ToolRunner,
  answer: Answer | undefined,
): Promise<{ readonly args: unknown; readonly result?: ToolResult | undefined }> {
  let args = given;
  for (const entry of runner.hooks) {
    if (!entry.hook.beforeTool) continue;
    const event = { name: call.function.name, args, id: call.id, turn: step, context: runner.view?.(entry.name) };
    const said = await callHook(entry, 'beforeTool', () => entry.hook.beforeTool?.(event), runner);
    if (said && 'args' in said && said.args !== undefined) args = said.args;
    if (said?.result !== undefined && !(answer && asksAgain(said.result, answer))) return { args, result: said.result };
  }
  return { args };
}

// A guard that asked for the approval sees the call again once it is given; its question is answered then.
function asksAgain(result: ToolResult, answer: Answer): boolean {
  return answer.ok && pendingOf(result) !== undefined;
}

async function execute(
  tool: ITool,
  args: unknown,
  call: AskedCall,
  runner: ToolRunner,
  together: Followers,
  answer: Answer | undefined,
): Promise<ToolResult> {
  const controller = together.child();
  const timeoutMs = tool.timeoutMs ?? runner.toolTimeoutMs;
  let late = false;
  const stop = (): void => {
    late = true;
    controller.abort(new TurnTimeoutError({ what: `tool ${tool.name}`, limitMs: timeoutMs, option: 'its timeoutMs or toolTimeoutMs' }));
  };
  const cancel = Number.isFinite(timeoutMs) ? runner.clock.setTimeout(stop, timeoutMs) : undefined;
  try {
    const context = { signal: controller.signal, callId: call.id, turn: runner.view?.(`tool:${tool.name}`), ...(answer && { answer }) };
    if (!relaysAnswer(tool)) runner.onCalled?.();
    const said: unknown = tool.execute(args as never, context);
    return asResult(isPromiseLike(said) ? await raceAbort(said, controller.signal) : said);
  } catch (error) {
    if (runner.stop.aborted) throw runner.stop.reason;
    if (late) return { output: `${tool.name} gave no result within ${timeoutMs} ms and was stopped.`, isError: true };
    if (controller.signal.aborted) return { output: `${tool.name} was stopped: ${faultText(controller.signal.reason)}`, isError: true };
    return { output: thrownText(error), isError: true };
  } finally {
    cancel?.();
    together.leave(controller);
  }
}

async function afterTool(call: AskedCall, args: unknown, given: ToolResult, step: number, runner: ToolRunner): Promise<ToolResult> {
  let result = given;
  for (const entry of runner.hooks) {
    if (!entry.hook.afterTool) continue;
    const event = { name: call.function.name, args, id: call.id, turn: step, result, context: runner.view?.(entry.name) };
    const said = await callHook(entry, 'afterTool', () => entry.hook.afterTool?.(event), runner);
    if (said?.result !== undefined) result = asResult(said.result);
  }
  return result;
}
