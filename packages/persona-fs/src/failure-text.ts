import { isAgentosError } from '@x/core';

/** What a tool says of notes that could not be written; never the text of an error that is not ours. */
export function failureText(error: unknown, signal: AbortSignal | undefined): string {
  if (isAgentosError(error)) return error.message;
  return signal?.aborted ? 'This was stopped before anything was written.' : 'The notes could not be written.';
}
