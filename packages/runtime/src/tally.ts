import { type ChatMessage, estimateTextTokens, estimateTokens, type PendingRequest } from '@x/core';
import type { ModelAnswer } from './ask-model.js';
import type { Limit, RunUsage, ToolCallRecord } from './session-types.js';

/** Identical failing calls after which a turn stops. The figure is ours. */
const MAX_SAME_FAILURES = 3;

/** How the steps of a turn ended. */
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

/** What the model is told of a name that no tool has. */
export function unknownTool(name: string, known: Iterable<string>): string {
  return `Unknown tool: ${name}. Known tools: ${[...known].sort().join(', ') || 'none'}.`;
}

function isUnknown(name: string, output: string): boolean {
  return output.startsWith(`Unknown tool: ${name}. `);
}

/** What the steps of one turn add up to. */
export class Tally {
  steps = 0;
  usage: RunUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, counted: true };
  /** The last text of the assistant in this turn. */
  text = '';
  folded = false;
  readonly toolCalls: ToolCallRecord[] = [];
  readonly #failures = new Map<string, number>();

  get tokens(): number {
    return this.usage.inputTokens + this.usage.outputTokens;
  }

  /** Adds a model call; where the provider did not count, sizes are estimated. Returns its tokens. */
  addStep({ usage, text, calls }: ModelAnswer, messages: readonly ChatMessage[]): number {
    const input = usage.inputTokens ?? estimateTokens(messages);
    const output = usage.outputTokens ?? estimateTextTokens(text + calls.map((call) => call.function.arguments).join(''));
    const before = this.usage;
    this.steps += 1;
    this.usage = {
      inputTokens: before.inputTokens + input,
      outputTokens: before.outputTokens + output,
      cachedTokens: before.cachedTokens + (usage.cachedTokens ?? 0),
      counted: before.counted && usage.inputTokens !== undefined && usage.outputTokens !== undefined,
    };
    if (text !== '') this.text = text;
    return input + output;
  }

  /** Adds results. True when one of them failed in the same way for the third time: asking on would not help. */
  addCalls(records: readonly ToolCallRecord[]): boolean {
    this.toolCalls.push(...records);
    let stuck = false;
    for (const { name, args, output, isError } of records) {
      if (!isError) continue;
      // Clocks and counters in a message do not make it another failure; who names a tool that is not there needs no arguments.
      const key = JSON.stringify(isUnknown(name, output) ? [name] : [name, args, output.replace(/\d+/g, '#')]);
      const times = (this.#failures.get(key) ?? 0) + 1;
      this.#failures.set(key, times);
      stuck ||= times >= MAX_SAME_FAILURES;
    }
    return stuck;
  }

  end(status: StepsOutcome['status'], more: Pick<StepsOutcome, 'limit' | 'pending'> = {}): StepsOutcome {
    return {
      status,
      ...more,
      text: more.pending?.request.prompt ?? this.text,
      usage: this.usage,
      steps: this.steps,
      toolCalls: this.toolCalls,
      folded: this.folded,
      toolFailed: this.toolCalls.some((call) => call.isError),
    };
  }
}
