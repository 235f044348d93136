/** What {@link checkOne} needs of the package, built or source. */
export interface Api {
  readonly compactor: typeof import('../../src/index.js').compactor;
  readonly charsOverFour: typeof import('../../src/index.js').charsOverFour;
  readonly estimateTokens: typeof import('../../src/index.js').estimateTokens;
  readonly estimateTools: (tools: readonly import('@x/core').ToolSpec[]) => number;
}
export declare function checkOne(
  api: Api,
  seed: number,
  dialect: string,
): Promise<{
  readonly faults: readonly string[];
  readonly statuses: readonly string[];
  readonly seed: number;
  readonly dialect: string;
  readonly kind: string;
}>;
