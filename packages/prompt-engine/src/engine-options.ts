import type { Capabilities, CountTokens, Placement } from '@x/core';
import type { Predicates } from './match-context.js';
import type { ElementLimits } from './select-elements.js';
import type { ToolManifest } from './tool-manifest.js';

export interface PromptEngineOptions {
  readonly predicates?: Predicates | undefined;
  /** Limits of the elements that depend on the turn; default 10 elements. */
  readonly limits?: ElementLimits | undefined;
  /** Limits of the elements that are always there; default none. */
  readonly stableLimits?: ElementLimits | undefined;
  /** Default `kept-on-change`. */
  readonly placement?: Placement | undefined;
  /** Tokens for retrieved context; default a fifth of the budget. */
  readonly maxRetrievedTokens?: number | undefined;
  readonly toolManifest?: ToolManifest | undefined;
  /** Further prompt formats, or other rows for the built-in ones. */
  readonly formats?: { readonly [format: string]: Capabilities } | undefined;
  /** Turns a Standard Schema of a tool into JSON Schema; for one that has no JSON form of its own. */
  readonly toJsonSchema?: ((schema: unknown) => object) | undefined;
  /** A real tokenizer; default the estimate of core. */
  readonly countTokens?: CountTokens | undefined;
}
