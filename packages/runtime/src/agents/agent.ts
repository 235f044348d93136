import { createId, InvalidArgumentError, type ITool, type PendingRequest, type ToolContext } from '@x/core';
import { limitsProblem } from '../check-limits.js';
import type { RelayingTool } from '../run-tools.js';
import { AgentRuntime } from './agent-runtime.js';
import type { AgentResult, AgentRun, AgentRunOptions, AgentSpec, RuntimeOptions } from './agent-types.js';
import { checkCompletion } from './completion.js';
import { taskResult } from './task-tool.js';

/** An agent: a name and what it is. It holds nothing; what runs is a handle of a runtime. */
export class Agent {
  readonly name: string;
  readonly spec: AgentSpec;

  constructor(name: string, spec: AgentSpec) {
    if (typeof name !== 'string' || !/^[\p{L}\p{N}_][\p{L}\p{N}_ -]{0,63}$/u.test(name)) {
      throw new InvalidArgumentError('agent: a name has 1 to 64 letters, digits, spaces, dashes and underscores.');
    }
    if (spec.completion) checkCompletion(spec.completion);
    const problem = limitsProblem(spec.budget ?? {});
    if (problem) throw new InvalidArgumentError(`agent ${name}: ${problem}.`);
    this.name = name;
    this.spec = spec;
  }

  /** Itself and its team, and their teams; the first of a name wins. */
  registry(into: Map<string, AgentSpec> = new Map()): Map<string, AgentSpec> {
    if (into.has(this.name)) return into;
    into.set(this.name, this.spec);
    for (const member of this.spec.team ?? []) member.registry(into);
    return into;
  }

  createRuntime(options: RuntimeOptions): AgentRuntime {
    return new AgentRuntime({ ...options, registry: this.registry() });
  }

  /**
   * One run in a runtime of its own, which is closed after it unless the run waits for a human. However the run goes, that
   * is a result.
   *
   * @throws `invalid_argument` for options out of range: then there is no runtime to run in.
   */
  async run(prompt: string, { signal, origin, sender, conversation, ...options }: AgentRunOptions): Promise<AgentRun> {
    const runtime = this.createRuntime(options);
    const handle = runtime.spawn(runtime.root, this.name, {}, { conversation });
    const stop = (): void => void runtime.interrupt(handle);
    const woke = runtime.wake(handle, prompt, { origin, sender });
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    const result: AgentResult = woke.ok
      ? await runtime.wait(handle)
      : { text: woke.error, isError: true, status: 'error', turns: 0, totalTokens: 0 };
    signal?.removeEventListener('abort', stop);
    if (result.status !== 'pending') await runtime.close(runtime.root);
    return { ...result, runtime };
  }

  /**
   * The agent as a tool of another client. When it has to ask a human, so does the tool: the caller's turn parks, and
   * its answer goes on with the run. Across processes this needs a `store`.
   */
  asTool(options: RuntimeOptions): ITool<{ prompt: string }> {
    const waiting = new Map<string, AgentRuntime>();
    const tool: ITool<{ prompt: string }> & RelayingTool = {
      name: this.name.replace(/[^A-Za-z0-9_-]/g, '_'),
      description: this.spec.does,
      inputSchema: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
      timeoutMs: Number.POSITIVE_INFINITY,
      relaysAnswer: true,
      execute: async ({ prompt }, context) => {
        const { answer, signal } = context;
        const conversation = conversationOf(context, options);
        if (!answer) {
          const run = await this.run(prompt, { ...options, signal, conversation });
          if (run.pending) waiting.set(run.pending.id, run.runtime);
          return taskResult(this.name, run);
        }
        const runtime = waiting.get(answer.id) ?? this.#reopened(options, conversation);
        waiting.delete(answer.id);
        let open: PendingRequest | undefined;
        try {
          const result = await runtime.resume(answer, { signal });
          // A run that was stopped or failed leaves its question open, a run that went on may have another.
          open = runtime.root.children.find((handle) => handle.pendingRequest)?.pendingRequest;
          if (open) waiting.set(open.id, runtime);
          return taskResult(this.name, result);
        } finally {
          if (!open) await runtime.close(runtime.root);
        }
      },
    };
    return tool;
  }

  /** The handle that a run in another process had: the store holds its question in the same conversation. */
  #reopened(options: RuntimeOptions, conversation: string): AgentRuntime {
    const runtime = this.createRuntime(options);
    runtime.spawn(runtime.root, this.name, {}, { conversation });
    return runtime;
  }
}

/** @throws `invalid_argument` for a name that could not be part of an id, or a budget that is no number. */
export function agent(name: string, spec: AgentSpec): Agent {
  return new Agent(name, spec);
}

/** Each call has a conversation that no other has, and finds it again when its question was answered. */
function conversationOf({ turn, callId }: ToolContext, { random }: RuntimeOptions): string {
  return `tool#${turn?.id ?? createId('turn', random)}#${callId ?? ''}`;
}
