import type { ToolEvent, ToolResult, TurnHook } from '@x/core';
import { faultText } from '../hook-list.js';

/** Judges a tool call: nothing or `allow` lets it pass, any other text is why it is denied. */
export type Guardrail = (event: ToolEvent) => 'allow' | string | undefined | Promise<'allow' | string | undefined>;

/** Guardrails as a hook: the first denial wins. One that throws denies, since nobody looked. */
export function guardrailHook(guardrails: readonly Guardrail[]): TurnHook {
  return {
    name: 'guardrails',
    async beforeTool(event) {
      for (const guardrail of guardrails) {
        const verdict = await judge(guardrail, event);
        if (verdict !== undefined && verdict !== 'allow') return { result: denied(verdict) };
      }
      return undefined;
    },
  };
}

async function judge(guardrail: Guardrail, event: ToolEvent): Promise<string | undefined> {
  try {
    return await guardrail(event);
  } catch (error) {
    return `the guardrail failed (${faultText(error)})`;
  }
}

function denied(reason: string): ToolResult {
  return { output: `denied: ${reason}`, isError: true };
}
