import {
  type CacheBreak,
  commonLength,
  estimateTextTokens,
  estimateTokens,
  hashText,
  type IChatModel,
  joinStable,
  type Layout,
  type Parts,
  type ToolSpec,
} from '@x/core';

/** What the last request's prefix was made of, so that a change of it has a name. */
export interface PrefixMemory {
  /** The break that the next request makes for another reason than its own parts. */
  due: 'first' | 'reload' | undefined;
  tools: string | undefined;
  model: string | undefined;
  specs: readonly ToolSpec[] | undefined;
  stable: Parts | undefined;
}

export function createPrefixMemory(): PrefixMemory {
  return { due: 'first', tools: undefined, model: undefined, specs: undefined, stable: undefined };
}

/** Names the break that this request makes, and remembers the request. */
export function nameBreak(
  memory: PrefixMemory,
  {
    layout,
    model,
    folded,
    senderLeft,
  }: { readonly layout: Layout; readonly model: IChatModel; readonly folded: boolean; readonly senderLeft: boolean },
): CacheBreak | undefined {
  const modelName = `${model.providerId}/${model.modelId}`;
  const tools = memory.specs === layout.tools ? memory.tools : JSON.stringify(layout.tools);
  const changed = {
    model: memory.model !== undefined && memory.model !== modelName,
    tools: memory.tools !== undefined && memory.tools !== tools,
    // Within a process two prefixes differ by a reload, which is due then, or by who reads the answer.
    audience: senderLeft || (memory.stable !== undefined && !sameParts(memory.stable, layout.stable)),
  };
  const due = memory.due;
  Object.assign(memory, { due: undefined, model: modelName, tools, specs: layout.tools, stable: layout.stable });
  if (due) return due;
  if (changed.model) return 'model';
  if (changed.tools) return 'tools';
  if (changed.audience) return 'audience';
  return folded ? 'fold' : undefined;
}

function sameParts(a: Parts, b: Parts): boolean {
  return a === b || joinStable(a) === joinStable(b);
}

/** The name of a whole prefix; equal prefixes have equal names in every process. */
export function stableHash(stable: Parts, tools: readonly ToolSpec[]): string {
  return hashText(`${joinStable(stable)}\n${JSON.stringify(tools)}`);
}

/** Counts what a request holds beside its messages: prefix, tools and notes. Remembers the count of parts that did not change. */
export function createOverheadCounter(): (layout: Layout) => number {
  const stable = remember((parts: Parts) => estimateTextTokens(joinStable(parts)));
  const tools = remember((specs: readonly ToolSpec[]) => estimateTokens([], { tools: specs }));
  // A block stays the same object for as long as it is said.
  const counted = new WeakMap<Layout['blocks'][number], number>();
  const blockTokens = (block: Layout['blocks'][number]): number => {
    const known = counted.get(block);
    if (known !== undefined) return known;
    const tokens = estimateTextTokens(block.text) + 8;
    counted.set(block, tokens);
    return tokens;
  };
  const blocks = remember((list: Layout['blocks'], last) => {
    const same = last ? commonLength(last.value, list) : 0;
    const isLonger = same > 0 && same === last?.value.length;
    return list.slice(isLonger ? same : 0).reduce((sum, block) => sum + blockTokens(block), isLonger ? last.tokens : 0);
  });
  const leading = remember((parts: Parts) => Object.values(parts).reduce((sum, text) => sum + estimateTextTokens(text), 0));
  return (layout) =>
    stable(layout.stable) + tools(layout.tools) + blocks(layout.blocks) + (layout.placement === 'leading' ? leading(layout.volatile) : 0);
}

interface Counted<T> {
  readonly value: T;
  readonly tokens: number;
}

function remember<T>(count: (value: T, last: Counted<T> | undefined) => number): (value: T) => number {
  let last: Counted<T> | undefined;
  return (value) => {
    if (last?.value !== value) last = { value, tokens: count(value, last) };
    return last.tokens;
  };
}
