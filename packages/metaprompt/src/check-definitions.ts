import { GMIEventType, type IPersonaDefinition, type MetaPromptDefinition, type MetaPromptTrigger } from '@x/core';
import { placeholdersOf, templateOf } from './fill-template.js';
import { type MetapromptIssue, mergeMetapromptPresets, presetIssues } from './merge-presets.js';
import { VARIABLE_NAMES } from './variables.js';

/** A metaprompt that can fire. */
export type Triggered = MetaPromptDefinition & { readonly trigger: MetaPromptTrigger };

const TRIGGER_TYPES: readonly string[] = ['turn_interval', 'event_based', 'manual'];
const EVENTS: readonly string[] = Object.values(GMIEventType);

/**
 * Sorts a persona's metaprompts into those that can fire and the faults of the rest.
 *
 * @returns `usable` in the merged order. Without a trigger a metaprompt never runs, which is no fault unless it
 * replaces a preset. An event that is not among `GMIEventType` is told, but still listened to: a host may raise it.
 */
export function checkDefinitions(persona: IPersonaDefinition): {
  readonly usable: readonly Triggered[];
  readonly issues: readonly MetapromptIssue[];
} {
  const issues: MetapromptIssue[] = [...presetIssues(persona)];
  const usable: Triggered[] = [];
  const seen = new Set<string>();
  for (const definition of mergeMetapromptPresets(persona)) {
    const { id } = definition;
    if (seen.has(id)) {
      issues.push({ code: 'duplicate_metaprompt_id', id, message: `"${id}" is defined twice. Only the first counts; rename the other.` });
      continue;
    }
    seen.add(id);
    if (definition.trigger === undefined) continue;
    const fault = faultOf(id, definition.trigger);
    if (fault) issues.push(fault);
    if (fault && fault.code !== 'unknown_metaprompt_event') continue;
    usable.push(definition as Triggered);
    const strangers = [...new Set(placeholdersOf(templateOf(definition)))].filter((name) => !VARIABLE_NAMES.includes(name));
    if (strangers.length > 0) {
      const message = `"${id}" uses ${strangers.map((name) => `{{${name}}}`).join(', ')}, which nothing fills. They stay as they are.`;
      issues.push({ code: 'unknown_placeholder', id, message });
    }
  }
  return { usable, issues };
}

function faultOf(id: string, trigger: MetaPromptTrigger): MetapromptIssue | undefined {
  if (!TRIGGER_TYPES.includes(trigger.type)) {
    const message = `"${id}" has the trigger type "${String(trigger.type).slice(0, 40)}" and never fires. Use ${TRIGGER_TYPES.join(', ')}.`;
    return { code: 'unsupported_metaprompt_trigger', id, message };
  }
  if (trigger.type === 'turn_interval' && !(typeof trigger.intervalTurns === 'number' && trigger.intervalTurns >= 1)) {
    const message = `"${id}" never fires: intervalTurns must be a number from 1.`;
    return { code: 'invalid_metaprompt_interval', id, message };
  }
  if (trigger.type === 'event_based' && !EVENTS.includes(trigger.eventName)) {
    const message = `"${id}" waits for "${String(trigger.eventName).slice(0, 60)}", which only a host could raise. Known events: ${EVENTS.join(', ')}.`;
    return { code: 'unknown_metaprompt_event', id, message };
  }
  return undefined;
}
