import type { ToolSpec } from '@x/core';
import { formatTools } from './format-tools.js';
import type { PromptIssue } from './prompt-context.js';
import type { ModelTargetInfo } from './prompt-types.js';
import { applyToolManifest, type ToolManifest, type ToolReason } from './tool-manifest.js';

export interface ChosenTools {
  readonly specs: readonly ToolSpec[];
  /** Absent when no tool is sent. */
  readonly schemas?: readonly object[] | undefined;
  readonly reasons: ReadonlyMap<string, ToolReason>;
}

const NO_TOOLS: ChosenTools = { specs: [], reasons: new Map() };

/** The tools of a request: those that the manifest allows and the model takes. */
export function chooseTools(
  given: readonly ToolSpec[],
  { modelId, toolSupport }: ModelTargetInfo,
  options: {
    readonly personaId: string | undefined;
    readonly manifest: ToolManifest;
    readonly toJsonSchema: ((schema: unknown) => object) | undefined;
  },
  report: (issue: PromptIssue) => void,
): ChosenTools {
  if (given.length === 0) return NO_TOOLS;
  const { tools, reasons, issues } = applyToolManifest(given, options.manifest, { personaId: options.personaId, modelId });
  for (const issue of issues) report(issue);
  if (tools.length === 0) return { specs: [], reasons };
  if (toolSupport?.supported === false) {
    const left = tools.length;
    report({
      code: 'tools_unsupported',
      severity: 'error',
      message: `The model takes no tools; ${left} were left out.`,
      details: { left },
    });
    return { specs: [], reasons };
  }
  const taken = tools.slice(0, toolSupport?.maxToolsPerCall);
  if (taken.length < tools.length) {
    const left = tools.length - taken.length;
    report({
      code: 'tool_limit',
      severity: 'warning',
      message: `The model takes ${taken.length} tools; the last ${left} were left out.`,
      details: { left },
    });
  }
  const formatted = formatTools(taken, toolSupport?.format ?? 'openai_functions', options.toJsonSchema);
  for (const issue of formatted.issues) report(issue);
  return { specs: formatted.tools, schemas: formatted.schemas, reasons };
}
