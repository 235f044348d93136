import { ownValue } from '@x/core';

/** Which tools a persona may use, and on which model. A tool goes by its name, and by its `id` where it has one. */
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

interface NamedTool {
  readonly name: string;
  /** For hosts that name tools to themselves in another way than to the model. */
  readonly id?: string | undefined;
}

/**
 * Filters tools by a manifest. A persona that is not in it keeps all tools; a name in it that no tool has is ignored.
 *
 * @returns The tools in their order, and for each tool the reason why it is in or out.
 */
export function applyToolManifest<T extends NamedTool>(
  tools: readonly T[],
  manifest: ToolManifest,
  { personaId, modelId }: { readonly personaId: string | undefined; readonly modelId: string },
): { readonly tools: readonly T[]; readonly reasons: ReadonlyMap<string, ToolReason> } {
  const entry = ownValue(manifest, personaId ?? '');
  const override = ownValue(entry?.modelOverrides ?? {}, modelId);
  const reasonFor = ({ name, id = name }: NamedTool): ToolReason => {
    const isIn = (list: readonly string[] = []): boolean => list.includes(name) || list.includes(id);
    if (isIn(entry?.disabledToolIds)) return 'excluded:disabled_tool_ids';
    if (override !== undefined) return isIn(override) ? 'included:model_override' : 'excluded:not_in_model_override_list';
    const enabled = entry?.enabledToolIds ?? [];
    if (enabled.length === 0) return 'included:all';
    return isIn(enabled) ? 'included:enabled_tool_ids' : 'excluded:not_in_enabled_tool_ids';
  };
  const reasons = new Map<string, ToolReason>();
  const allowed = tools.filter((tool) => {
    const reason = reasonFor(tool);
    reasons.set(tool.name, reason);
    return reason.startsWith('included');
  });
  return { tools: allowed, reasons };
}
