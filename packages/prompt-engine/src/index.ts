export type { PromptEngineOptions } from './engine-options.js';
export {
  CriteriaInvalidError,
  ElementInvalidError,
  PatternUnsafeError,
  PromptFormatUnknownError,
  PromptTooLargeError,
  TemplateInvalidError,
} from './errors.js';
export type { Predicate, Predicates } from './match-context.js';
export {
  type AuditedRequest,
  type AuditedStep,
  auditPrefix,
  type PrefixBreak,
  type PrefixStability,
  prefixStability,
  type RequestLike,
} from './prefix-stability.js';
export type { ElementTiming, PromptExecutionContext, PromptIssue } from './prompt-context.js';
export { type ElementExplanation, PromptEngine } from './prompt-engine.js';
export { PROMPT_FORMATS } from './prompt-formats.js';
export { type PromptHookOptions, type PromptPersona, promptHook } from './prompt-hook.js';
export type {
  ModelTargetInfo,
  PromptComponents,
  PromptEngineResult,
  PromptFormat,
  PromptMetadata,
  VisionInput,
} from './prompt-types.js';
export { ELEMENT_SLOTS } from './render-elements.js';
export { PRECEDENCE } from './render-persona.js';
export type { ImprintOptions, RetrievedItem } from './render-records.js';
export { renderTemplate } from './render-template.js';
export type { ElementLimits, ElementVerdict } from './select-elements.js';
export type { ToolReason } from './tool-manifest.js';
export { applyToolManifest, type ToolManifest } from './tool-manifest.js';
