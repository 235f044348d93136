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

const ORDER: ReadonlyMap<string, number> = new Map(ELEMENT_SLOTS.map(([type], index) => [type, index]));

/** The text of the part `elements`: sections by type, in them the elements as ranked; `''` for none. */
export function renderElements(chosen: readonly CompiledElement[]): string {
  if (chosen.length === 0) return '';
  const sections: string[][] = ELEMENT_SLOTS.map(() => []);
  for (const { type, content } of chosen) sections[ORDER.get(type) ?? 0]?.push(content);
  return ELEMENT_SLOTS.flatMap(([, heading], index) => {
    const contents = sections[index] ?? [];
    return contents.length === 0 ? [] : [[heading, ...contents].join('\n')];
  }).join('\n\n');
}
