import type { ToolSpec } from '@x/core';
import { formatTools } from './format-tools.js';
import type { Report } from './prompt-context.js';
import type { ModelTargetInfo } from './prompt-types.js';
import { applyToolManifest, type ToolManifest, type ToolReason } from './tool-manifest.js';

export interface ChosenTools {
  readonly specs: readonly ToolSpec[];
  /** Absent when no tool is sent. */
  readonly schemas?: readonly object[] | undefined;
  readonly reasons: ReadonlyMap<string, ToolReason>;
}

const NO_TOOLS: ChosenTools = { specs: [], reasons: new Map() };

/** The tools of a request, by name: those that the manifest allows, and of them the first ones that the model takes. */
export function chooseTools(
  given: readonly ToolSpec[],
  { modelId, toolSupport }: ModelTargetInfo,
  options: {
    readonly personaId: string | undefined;
    readonly manifest: ToolManifest;
    readonly toJsonSchema: ((schema: unknown) => object) | undefined;
  },
  report: Report,
): ChosenTools {
  if (given.length === 0) return NO_TOOLS;
  const { tools, reasons } = applyToolManifest(given, options.manifest, { personaId: options.personaId, modelId });
  for (const [tool, reason] of reasons) {
    if (!tools.some(({ name }) => name === tool))
      report('tool_excluded', 'info', `The manifest leaves the tool ${tool} out.`, { tool, reason });
  }
  if (tools.length === 0) return { specs: [], reasons };
  if (toolSupport?.supported === false) {
    const left = tools.length;
    report('tools_unsupported', 'error', `The model takes no tools; ${left} were left out.`, { left });
    return { specs: [], reasons };
  }
  const taken = tools.slice(0, toolSupport?.maxToolsPerCall);
  if (taken.length < tools.length) {
    const left = tools.length - taken.length;
    report('tool_limit', 'warning', `The model takes ${taken.length} tools; ${left} were left out.`, { left });
  }
  // As in the request: the order in which a host happens to list its tools must not break the cached prefix.
  const sorted = [...taken].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const { sent, schemas } = formatTools(sorted, toolSupport?.format, options.toJsonSchema, report);
  return { specs: sent, schemas, reasons };
}
