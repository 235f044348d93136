import { type IChatModel, isAgentosError } from '@x/core';
import { ConfigurationError } from './errors.js';

/**
 * One model made of several: when one fails with an error that another try may mend, before it said anything, the next
 * is asked. What was already streamed is never said twice: a failure after the first word is thrown.
 *
 * @param models - The order in which they are tried; at least one.
 * @param onHop - Told of each change, with the code of the error that caused it.
 */
export function withFallback(
  models: readonly IChatModel[],
  onHop?: (hop: { readonly from: string; readonly to: string; readonly code: string }) => void,
): IChatModel {
  const [first] = models;
  if (!first) throw new ConfigurationError('A fallback needs at least one model.');
  return {
    modelId: first.modelId,
    providerId: first.providerId,
    capabilities: first.capabilities,
    async *stream(request, options) {
      for (const [index, model] of models.entries()) {
        let said = false;
        try {
          for await (const event of model.stream(request, options)) {
            said = true;
            yield event;
          }
          return;
        } catch (error) {
          const next = models[index + 1];
          if (said || !next || options.signal.aborted || !isAgentosError(error) || !error.retryable) throw error;
          onHop?.({ from: model.modelId, to: next.modelId, code: error.code });
        }
      }
    },
  };
}
