import { type ChatMessage, type ContentPart, hashText, type Stored, textOf } from '@x/core';
import type { Report } from './prompt-context.js';
import type { ModelTargetInfo, PromptComponents, VisionInput } from './prompt-types.js';

/**
 * The message of this turn: text, then images, then audio. What the model does not take is left out and reported.
 *
 * A message keeps its id and sender, and is one of the user whatever role it came with.
 *
 * @returns `undefined` when the components hold none.
 */
export function readInput(
  { userInput, visionInputs = [], audioInput, conversationHistory = [] }: PromptComponents,
  { visionSupport, audioSupport }: ModelTargetInfo,
  turn: number | undefined,
  report: Report,
): Stored | undefined {
  const given = userInput ?? undefined;
  const media: ContentPart[] = [];
  if (visionSupport?.supported === false && visionInputs.length > 0) {
    const left = visionInputs.length;
    report('image_unsupported', 'error', `The model takes no images; ${left} were left out.`, { left });
  } else {
    for (const image of visionInputs) {
      const url = addressOf(image);
      if (url) media.push({ type: 'image_url', image_url: { url, ...(image.detail && { detail: image.detail }) } });
    }
    const left = visionInputs.length - media.length;
    if (left > 0) report('image_unsupported', 'error', `${left} images have neither an address nor data and were left out.`, { left });
  }
  if (audioInput && audioSupport?.supported === false) {
    report('audio_unsupported', 'error', 'The model takes no audio; it was left out.');
  } else if (audioInput) media.push({ type: 'input_audio', input_audio: audioInput });
  if (given === undefined && media.length === 0) return undefined;
  const message = isMessage(given) ? given : undefined;
  const said = isMessage(given) ? given.content : (given ?? '');
  const content = media.length === 0 ? said : [...partsOf(said), ...media];
  // Named by its place and text, so that a turn that is built again has the same name.
  const id = message?.id ?? `input-${turn ?? conversationHistory.length}-${hashText(textOf({ content }))}`;
  return message === undefined
    ? { id, role: 'user', content, origin: 'user' }
    : { ...message, role: 'user', content, id, origin: message.origin ?? 'user' };
}

function addressOf(image: VisionInput | undefined): string | undefined {
  const { url, base64, mimeType = 'image/png' } = image ?? {};
  return url || (base64?.startsWith('data:') ? base64 : base64 && `data:${mimeType};base64,${base64}`);
}

function isMessage(value: PromptComponents['userInput']): value is ChatMessage {
  return typeof value === 'object' && value !== null && 'role' in value;
}

function partsOf(content: ChatMessage['content']): readonly ContentPart[] {
  if (content === null || content === '') return [];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}
