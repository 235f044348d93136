import { prefixStability } from '@x/prompt-engine';
import type { TurnEvent } from '@x/runtime';
import type { PrefixFigures } from './chunks.js';

type StepStart = Extract<TurnEvent, { type: 'step-start' }>;

/**
 * Measures how much of each request a session's last request had already sent. Give it every `step-start` of one
 * session; it costs a comparison of both requests, so it is for inspectors, tests and demos.
 */
export function createPrefixMeter(): (event: StepStart) => PrefixFigures {
  let last: StepStart['request'] | undefined;
  return ({ step, request, break: reason }) => {
    const compared = last && prefixStability({ ...last }, { ...request });
    last = request;
    return {
      step,
      ...(compared && { stability: compared.stability, cachedShare: compared.cachedShare }),
      ...(reason !== undefined && { break: reason }),
    };
  };
}
