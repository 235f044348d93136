import type { Capabilities } from '@x/core';
import { PromptFormatUnknownError } from './errors.js';
import type { ModelTargetInfo } from './prompt-types.js';

/**
 * What each prompt format asks of the list of messages. The message itself always has OpenAI's shape; the client of a
 * provider brings it into the provider's own.
 */
export const PROMPT_FORMATS: { readonly [format: string]: Capabilities } = {
  openai_chat: fencedRow(false),
  anthropic_messages: fencedRow(true),
  google_gemini: fencedRow(true),
  generic_completion: fencedRow(false, 'completion'),
};

function fencedRow(mergeUserRuns: boolean, transcript: Capabilities['transcript'] = 'chat'): Capabilities {
  return { lateNote: 'fenced-user', mergeUserRuns, structuredOutput: false, transcript };
}

export const DEFAULT_FORMAT = 'openai_chat';

/**
 * The capabilities that a prompt is laid out by: those of the model, else the row of its format.
 *
 * @throws {@link PromptFormatUnknownError} before anything is built, so that no empty prompt is ever sent.
 */
export function capabilitiesOf(
  { capabilities, promptFormatType, providerId }: ModelTargetInfo,
  format: string = promptFormatType ?? DEFAULT_FORMAT,
  formats: { readonly [format: string]: Capabilities } = PROMPT_FORMATS,
): Capabilities {
  if (!Object.hasOwn(formats, format)) throw new PromptFormatUnknownError({ format, known: Object.keys(formats) });
  if (capabilities !== undefined && 'lateNote' in capabilities) return capabilities;
  const row = formats[format]!;
  // The one endpoint that is known to take late notes as messages of their own.
  return format === DEFAULT_FORMAT && providerId === 'openai' && row === PROMPT_FORMATS[DEFAULT_FORMAT]
    ? { ...row, lateNote: 'developer' }
    : row;
}
