import { traitsOf } from './dialect.js';
import { type Fact, isKind, isSource } from './facts.js';
import type { Fold } from './fold-message.js';
import { growLedger } from './ledger.js';
import { liftFacts, oneLine } from './lift-facts.js';
import type { Workbench } from './workbench.js';

/** The ledger that a fold will have, and every fact that is new with it. */
export interface Lifted {
  readonly facts: readonly Fact[];
  /** Facts that left because there was no room. */
  readonly dropped: readonly Fact[];
  /** All that was not in the ledger before, also what found no room in it. */
  readonly fresh: readonly Fact[];
}

/** Adds the facts of messages that leave, and a host's own, to the ledger of the fold before. */
export function liftLedger(bench: Workbench, messages: readonly object[], previous: Fold | undefined, extracted: readonly Fact[]): Lifted {
  const { settings, options, redact, countText } = bench;
  const ledger = previous?.ledger ?? [];
  const isWanted = settings.ledgerTokens > 0 || options.saveFacts !== undefined;
  const found = isWanted ? liftFacts(messages, traitsOf, redact) : [];
  const added = [...found, ...extracted];
  const fresh = newAmong(added, ledger);
  if (settings.ledgerTokens === 0) return { facts: [], dropped: ledger, fresh };
  return { ...growLedger(ledger, added, { maxTokens: settings.ledgerTokens, countText }), fresh };
}

/** Adds what the summariser found; where its facts make the fold too large (`fits`), they are only saved. */
export function addFacts(
  { settings, countText }: Workbench,
  lifted: Lifted,
  previous: Fold | undefined,
  added: readonly Fact[],
  fits: (facts: readonly Fact[]) => boolean,
): Lifted {
  if (added.length === 0) return lifted;
  const fresh = [...lifted.fresh, ...newAmong(added, [...(previous?.ledger ?? []), ...lifted.fresh])];
  if (settings.ledgerTokens === 0) return { ...lifted, fresh };
  const more = growLedger(lifted.facts, added, { maxTokens: settings.ledgerTokens, countText });
  return fits(more.facts) ? { facts: more.facts, dropped: [...lifted.dropped, ...more.dropped], fresh } : { ...lifted, fresh };
}

/**
 * Facts as they may be kept: one line each, without credentials, of a kind and a source that can be read back. What is
 * none is left out: extractors are models more often than not.
 */
export function asFacts({ redact }: Workbench, facts: readonly unknown[]): readonly Fact[] {
  return facts.flatMap((fact) => {
    const { kind, by, text } = (typeof fact === 'string' ? { text: fact } : (fact ?? {})) as { [K in keyof Fact]?: unknown };
    if (typeof text !== 'string' || text.trim() === '') return [];
    return [{ kind: isKind(kind) ? kind : 'fact', by: isSource(by) ? by : 'note', text: redact(oneLine(text)) }];
  });
}

function newAmong(facts: readonly Fact[], known: readonly Fact[]): readonly Fact[] {
  const seen = new Set(known.map(({ text }) => text.toLowerCase()));
  return facts.filter(({ text }) => {
    const key = text.toLowerCase();
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
