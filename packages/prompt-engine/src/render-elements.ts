import { ContextualElementType } from '@x/core';
import type { CompiledElement } from './compile-elements.js';

/** The place of each type inside the part `elements`, in this order, and the line above its elements. */
export const ELEMENT_SLOTS: readonly (readonly [type: ContextualElementType, heading: string])[] = [
  [ContextualElementType.SYSTEM_INSTRUCTION_ADDON, 'Further instructions:'],
  [ContextualElementType.ETHICAL_GUIDELINE, 'Ethics:'],
  [ContextualElementType.BEHAVIORAL_GUIDANCE, 'Behaviour:'],
  [ContextualElementType.INTERACTION_STYLE_MODIFIER, 'Style:'],
  [ContextualElementType.DOMAIN_CONTEXT, 'What to know about the subject:'],
  [ContextualElementType.TASK_SPECIFIC_INSTRUCTION, 'For this task:'],
  [ContextualElementType.REASONING_PROTOCOL, 'How to reason:'],
  [ContextualElementType.ERROR_HANDLING_GUIDANCE, 'When something goes wrong:'],
  [ContextualElementType.FEW_SHOT_EXAMPLE, 'Examples of a good exchange:'],
  [ContextualElementType.OUTPUT_FORMAT_SPEC, 'Form of the answer:'],
  [ContextualElementType.USER_PROMPT_AUGMENTATION, 'Read the message of the user together with this:'],
  [ContextualElementType.ASSISTANT_PROMPT_AUGMENTATION, 'Let your answer start from this:'],
];

const PLACES: ReadonlyMap<string, number> = new Map(ELEMENT_SLOTS.map(([type], place) => [type, place]));

/** The text of the part `elements`: sections by type, in them the elements as ranked; `''` for none. */
export function renderElements(chosen: readonly CompiledElement[]): string {
  let text = '';
  let section: string | undefined;
  for (const { type, content } of [...chosen].sort((a, b) => placeOf(a) - placeOf(b))) {
    if (type !== section) text += `${text === '' ? '' : '\n\n'}${ELEMENT_SLOTS[placeOf({ type })]?.[1]}`;
    text += `\n${content}`;
    section = type;
  }
  return text;
}

function placeOf({ type }: Pick<CompiledElement, 'type'>): number {
  return PLACES.get(type) ?? 0;
}

/** Tokens of a heading, rounded up. */
export const HEADING_TOKENS = 12;

/** Tokens of what {@link renderElements} makes of these elements, without making it. */
export function tokensOf(chosen: readonly CompiledElement[]): number {
  return chosen.reduce((tokens, one) => tokens + one.tokens + HEADING_TOKENS, 0);
}
