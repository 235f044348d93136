import { ownValue } from '@x/core';

/** Which tools a persona may use, and on which model, by tool name. */
export type ToolManifest = {
  readonly [personaId: string]: {
    /** Given and not empty: only these. */
    readonly enabledToolIds?: readonly string[] | undefined;
    /** Never these; it is applied last. */
    readonly disabledToolIds?: readonly string[] | undefined;
    /** By model id: only these, instead of `enabledToolIds`. */
    readonly modelOverrides?: { readonly [modelId: string]: readonly string[] } | undefined;
  };
};

export type ToolReason =
  | 'included:all'
  | 'included:model_override'
  | 'included:enabled_tool_ids'
  | 'excluded:not_in_model_override_list'
  | 'excluded:not_in_enabled_tool_ids'
  | 'excluded:disabled_tool_ids';

/**
 * Filters tools by a manifest. A persona that is not in it keeps all tools; a name in it that no tool has is ignored.
 *
 * @returns The tools in their order, and for each tool the reason why it is in or out.
 */
export function applyToolManifest<T extends { readonly name: string }>(
  tools: readonly T[],
  manifest: ToolManifest,
  { personaId, modelId }: { readonly personaId: string | undefined; readonly modelId: string },
): { readonly tools: readonly T[]; readonly reasons: ReadonlyMap<string, ToolReason> } {
  const entry = ownValue(manifest, personaId ?? '');
  const override = ownValue(entry?.modelOverrides ?? {}, modelId);
  const reasonFor = (name: string): ToolReason => {
    if (entry?.disabledToolIds?.includes(name)) return 'excluded:disabled_tool_ids';
    if (override !== undefined) return override.includes(name) ? 'included:model_override' : 'excluded:not_in_model_override_list';
    const enabled = entry?.enabledToolIds ?? [];
    if (enabled.length === 0) return 'included:all';
    return enabled.includes(name) ? 'included:enabled_tool_ids' : 'excluded:not_in_enabled_tool_ids';
  };
  const reasons = new Map(tools.map(({ name }) => [name, reasonFor(name)]));
  return { tools: tools.filter(({ name }) => reasons.get(name)?.startsWith('included')), reasons };
}
