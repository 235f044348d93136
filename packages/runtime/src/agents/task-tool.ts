import { type Answer, type ITool, pending, type ToolContext, type ToolResult } from '@x/core';
import type { RelayingTool } from '../run-tools.js';
import type { AgentNode } from './agent-node.js';
import type { AgentResult, AgentSpec } from './agent-types.js';

/** What the task tool does with the runtime. */
export interface TaskVerbs {
  readonly registry: ReadonlyMap<string, AgentSpec>;
  /** Starts a child on a task and waits for it. */
  run(parent: AgentNode, agent: string, prompt: string, call: TaskCall): Promise<TaskEnd>;
  /** Gives an answer to the child that asked. */
  answer(parent: AgentNode, agent: string, answer: Answer, call: TaskCall): Promise<TaskEnd>;
}

export interface TaskCall {
  readonly callId: string;
  readonly turn: string;
  readonly signal: AbortSignal | undefined;
}

export type TaskEnd = AgentResult | { readonly refused: string };

/** The tool by which an agent gives work to its team; `undefined` for an agent without one. */
export function taskTool(node: AgentNode, verbs: TaskVerbs): (ITool<{ agent: string; prompt: string }> & RelayingTool) | undefined {
  const names = (node.spec.team ?? []).map((member) => member.name).sort();
  if (names.length === 0) return undefined;
  const lines = names.map((name) => `${name}: ${verbs.registry.get(name)?.does ?? ''}`.trim());
  return {
    name: 'task',
    description: `Gives a task to an agent of your team and returns its answer. Team: ${lines.join('; ')}`,
    inputSchema: {
      type: 'object',
      properties: { agent: { type: 'string', enum: names }, prompt: { type: 'string' } },
      required: ['agent', 'prompt'],
    },
    timeoutMs: Number.POSITIVE_INFINITY,
    relaysAnswer: true,
    async execute({ agent, prompt }, context) {
      if (!names.includes(agent)) {
        const known = names.join(', ') || 'none';
        return { output: `agent "${String(agent).slice(0, 80)}" is not in this agent's team (available: ${known})`, isError: true };
      }
      const call = callOf(context);
      const end = context.answer
        ? await verbs.answer(node, agent, context.answer, call)
        : await verbs.run(node, agent, String(prompt), call);
      return taskResult(agent, end);
    },
  };
}

/** What a delegating model is told of a run. */
export function taskResult(agent: string, end: TaskEnd): ToolResult {
  if ('refused' in end) return { output: end.refused, isError: true };
  if (end.pending) return pending(end.pending);
  if (end.status === 'done') return { output: end.text, metadata: { agent, turns: end.turns, totalTokens: end.totalTokens } };
  return { output: `[${end.status}] ${end.text}`, isError: true, metadata: { agent, turns: end.turns, totalTokens: end.totalTokens } };
}

function callOf({ callId = '', turn, signal }: ToolContext): TaskCall {
  return { callId, turn: turn?.id ?? '', signal };
}
