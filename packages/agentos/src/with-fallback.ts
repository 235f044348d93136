import { type Capabilities, type IChatModel, isAgentosError, type ModelEvent } from '@x/core';
import { ConfigurationError } from './errors.js';

/**
 * One model made of several: when one fails with an error that another try may mend, or its stream ends without a word,
 * before it said anything, the next is asked. What was already streamed is never said twice: a failure after the first
 * word is thrown. Requests are laid out in a form that all of them accept.
 *
 * @param models - The order in which they are tried; at least one.
 * @param onHop - Told of each change, with the code of the error that caused it. What it throws is passed over.
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
    capabilities: acceptedByAll(models.map(({ capabilities }) => capabilities)),
    async *stream(request, options) {
      for (const [index, model] of models.entries()) {
        const next = models[index + 1];
        let said = false;
        let code = 'model_stream_cut';
        try {
          for await (const event of model.stream(request, options)) {
            said ||= saysSomething(event);
            yield event;
          }
          if (said || !next || options.signal.aborted) return;
        } catch (error) {
          if (said || !next || options.signal.aborted || !isAgentosError(error) || !error.retryable) throw error;
          code = error.code;
        }
        tell(() => onHop?.({ from: model.modelId, to: next.modelId, code }));
      }
    },
  };
}

/** Who is only told must not stop the answer. */
function tell(listener: () => void): void {
  try {
    listener();
  } catch {
    // It has no other place to say so.
  }
}

function saysSomething(event: ModelEvent): boolean {
  return !('text' in event) || event.text !== '';
}

/** A list that was laid out for one endpoint may be refused by another, or its notes be taken for the user's words. */
function acceptedByAll(rows: readonly Capabilities[]): Capabilities {
  const windows = rows.flatMap(({ contextWindow }) => (contextWindow === undefined ? [] : [contextWindow]));
  return {
    lateNote: new Set(rows.map(({ lateNote }) => lateNote)).size > 1 ? 'fenced-user' : rows[0]!.lateNote,
    mergeUserRuns: rows.some(({ mergeUserRuns }) => mergeUserRuns),
    structuredOutput: rows.every(({ structuredOutput }) => structuredOutput),
    transcript: rows.some(({ transcript }) => transcript === 'completion') ? 'completion' : 'chat',
    contextWindow: windows.length > 0 ? Math.min(...windows) : undefined,
  };
}
