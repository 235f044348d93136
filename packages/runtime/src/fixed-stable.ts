import type { Parts, Stored, ToolSpec } from '@x/core';
import { stableHash } from './prefix-memory.js';
import type { Begun, TurnHost } from './turn-host.js';

/** Whose turn it is: what is the owner's alone stands in no request that answers somebody else. */
export type Audience = 'owner' | 'stranger';

/** A prefix, fixed from the first turn of its audience to the next reload. */
export interface FixedStable {
  readonly parts: Parts | undefined;
  /** Kept over a reload, so that a different prefix is noticed. */
  readonly hash: string | undefined;
  readonly specs: readonly ToolSpec[] | undefined;
}

export type StableByAudience = { [audience in Audience]: FixedStable };

export function noStable(): StableByAudience {
  const none = { parts: undefined, hash: undefined, specs: undefined };
  return { owner: none, stranger: none };
}

/** Lets both prefixes be composed anew. */
export function unfixStable({ owner, stranger }: StableByAudience): StableByAudience {
  return { owner: { ...owner, parts: undefined }, stranger: { ...stranger, parts: undefined } };
}

export function audienceOf(current: readonly Stored[]): Audience {
  return current.some(({ sender }) => sender !== undefined && !sender.owner) ? 'stranger' : 'owner';
}

/** The prefix is made once for each audience; what hooks say of it in later turns waits for a reload. */
export function fixStable(host: TurnHost, { turn, snapshot, toolSet }: Begun, composed: Parts): Parts {
  const audience = audienceOf(turn.layout.current);
  const fixed = host.stable[audience];
  if (fixed.parts) {
    if (fixed.specs !== toolSet.specs) {
      host.stable[audience] = { parts: fixed.parts, hash: stableHash(fixed.parts, toolSet.specs), specs: toolSet.specs };
    }
    return fixed.parts;
  }
  const own = typeof host.options.stable === 'function' ? host.options.stable() : (host.options.stable ?? {});
  const parts = { ...own, ...composed };
  const hash = stableHash(parts, toolSet.specs);
  // The store keeps the owner's: a stranger's prefix is compared only with that of the same process.
  const known = fixed.hash ?? (audience === 'owner' ? snapshot.stableHash : undefined);
  if (known) host.prefix.due = known === hash ? undefined : 'reload';
  host.stable[audience] = { parts, hash, specs: toolSet.specs };
  return parts;
}
