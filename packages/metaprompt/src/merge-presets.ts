import { type IPersonaDefinition, type MetaPromptDefinition, nearestWord } from '@x/core';
import { METAPROMPT_PRESETS } from './presets.js';

/** A fault in the metaprompts of a persona, found before anything runs. */
export interface MetapromptIssue {
  readonly code:
    | 'unknown_metaprompt_preset'
    | 'preset_override_without_trigger'
    | 'duplicate_metaprompt_id'
    | 'unsupported_metaprompt_trigger'
    | 'invalid_metaprompt_interval'
    | 'unknown_metaprompt_event'
    | 'unknown_placeholder';
  /** The metaprompt or preset it is about. */
  readonly id: string;
  readonly message: string;
}

const FULL_PREFIX = 'gmi_';
const fullId = (name: string): string => (name.startsWith(FULL_PREFIX) ? name : FULL_PREFIX + name);

/**
 * The metaprompts of a persona: the presets that it names first, in their fixed order, then its own. An entry of the
 * persona with a preset's id stands in that preset's place and replaces it whole.
 *
 * @returns A new list. Presets come in only while `sentimentTracking` is enabled; `['all']` names all five. Names that
 * are no preset are left out here and told by {@link presetIssues}.
 */
export function mergeMetapromptPresets(persona: IPersonaDefinition): readonly MetaPromptDefinition[];
/**
 * The same from a bare list.
 *
 * @param includeIds - Full ids of the presets wanted; default all five.
 */
export function mergeMetapromptPresets(
  metaPrompts?: readonly MetaPromptDefinition[],
  includeIds?: readonly string[],
): readonly MetaPromptDefinition[];
export function mergeMetapromptPresets(
  source: IPersonaDefinition | readonly MetaPromptDefinition[] = [],
  includeIds?: readonly string[],
): readonly MetaPromptDefinition[] {
  if (!isList(source)) return overlay(source.metaPrompts ?? [], wantedIds(source));
  return overlay(source, includeIds ?? METAPROMPT_PRESETS.map((preset) => preset.id));
}

/** The persona with its presets merged in; the same object when there is nothing to merge. */
export function normalizePersonaDefinition<P extends IPersonaDefinition>(persona: P): P {
  return wantedIds(persona).length === 0 ? persona : { ...persona, metaPrompts: mergeMetapromptPresets(persona) };
}

/** Preset names that do not exist, with the nearest that does, and overrides that switch a preset off by accident. */
export function presetIssues(persona: IPersonaDefinition): readonly MetapromptIssue[] {
  const tracking = persona.sentimentTracking;
  if (!tracking?.enabled) return [];
  const known = METAPROMPT_PRESETS.map((preset) => preset.id);
  const unknown = namesIn(tracking.presets)
    .filter((name) => name !== 'all' && !known.includes(fullId(name)))
    .map((name): MetapromptIssue => {
      const names = known.map((id) => id.slice(FULL_PREFIX.length));
      const nearest = nearestWord(name, names);
      const hint = nearest === undefined ? `Presets are: ${names.join(', ')}, all.` : `Did you mean "${nearest}"?`;
      return { code: 'unknown_metaprompt_preset', id: name, message: `There is no preset "${name}". ${hint}` };
    });
  const wanted = wantedIds(persona);
  const silent = (persona.metaPrompts ?? [])
    .filter((entry) => entry.trigger === undefined && wanted.includes(entry.id))
    .map(
      ({ id }): MetapromptIssue => ({
        code: 'preset_override_without_trigger',
        id,
        message: `"${id}" replaces a preset but has no trigger, so it never runs. Restate the trigger of the preset.`,
      }),
    );
  return [...unknown, ...silent];
}

function wantedIds({ sentimentTracking }: IPersonaDefinition): readonly string[] {
  const names = sentimentTracking?.enabled ? namesIn(sentimentTracking.presets) : [];
  return METAPROMPT_PRESETS.map((preset) => preset.id).filter((id) => names.some((name) => name === 'all' || fullId(name) === id));
}

/** A file may hold one name instead of a list, and what is no name. */
function namesIn(presets: unknown): readonly string[] {
  return presets === undefined || presets === null ? [] : (Array.isArray(presets) ? presets : [presets]).map(String);
}

function overlay(own: readonly MetaPromptDefinition[], ids: readonly string[]): readonly MetaPromptDefinition[] {
  const presets = METAPROMPT_PRESETS.filter((preset) => ids.includes(preset.id));
  const merged = presets.map((preset) => own.find((entry) => entry.id === preset.id) ?? { ...preset });
  return [...merged, ...own.filter((entry) => !merged.includes(entry))];
}

function isList(source: IPersonaDefinition | readonly MetaPromptDefinition[]): source is readonly MetaPromptDefinition[] {
  return Array.isArray(source);
}
