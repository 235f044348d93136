import { type ChatMessage, type ContentPart, type Stored, textOf } from '@x/core';
import { drawChance } from './draw-chance.js';
import type { PromptIssue } from './prompt-context.js';
import type { ModelTargetInfo, PromptComponents } from './prompt-types.js';

/**
 * The message of this turn: text, then images, then audio. What the model does not take is left out and reported.
 *
 * @returns `undefined` when the components hold none.
 */
export function readInput(
  { userInput, visionInputs = [], audioInput, conversationHistory = [] }: PromptComponents,
  { visionSupport, audioSupport }: ModelTargetInfo,
  turn: number | undefined,
  report: (issue: PromptIssue) => void,
): Stored | undefined {
  const given = userInput ?? undefined;
  const media: ContentPart[] = [];
  if (visionSupport?.supported === false && visionInputs.length > 0) {
    const left = visionInputs.length;
    report({
      code: 'image_unsupported',
      severity: 'error',
      message: `The model takes no images; ${left} were left out.`,
      details: { left },
    });
  } else {
    for (const { url, base64, mimeType = 'image/png', detail } of visionInputs) {
      const address = url ?? `data:${mimeType};base64,${base64 ?? ''}`;
      media.push({ type: 'image_url', image_url: { url: address, ...(detail && { detail }) } });
    }
  }
  if (audioInput && audioSupport?.supported === false) {
    report({ code: 'audio_unsupported', severity: 'error', message: 'The model takes no audio; it was left out.' });
  } else if (audioInput) media.push({ type: 'input_audio', input_audio: audioInput });
  if (given === undefined && media.length === 0) return undefined;
  const message: ChatMessage = isMessage(given) ? given : { role: 'user', content: given ?? '' };
  const content = media.length === 0 ? message.content : [...partsOf(message.content), ...media];
  // Named by its place and text, so that a turn that is built again has the same name.
  const place = turn ?? conversationHistory.length;
  const id = message.id ?? `input-${place}-${Math.floor(drawChance(textOf({ content })) * 2 ** 32).toString(36)}`;
  return { ...message, content, id, origin: message.origin ?? 'user' };
}

function isMessage(value: PromptComponents['userInput']): value is ChatMessage {
  return typeof value === 'object' && value !== null && 'role' in value;
}

function partsOf(content: ChatMessage['content']): readonly ContentPart[] {
  if (content === null || content === '') return [];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}
