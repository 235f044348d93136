/** What sort of thing a fact is. `done` is work that was finished, so that nobody does it twice. */
export type FactKind = 'fact' | 'decision' | 'correction' | 'promise' | 'open' | 'done';

/** Who said it. `note` is a host's own extractor. */
export type FactSource = 'user' | 'assistant' | 'tool' | 'note';

/** One line of the ledger: something said, word for word where it matters. */
export interface Fact {
  readonly kind: FactKind;
  readonly by: FactSource;
  readonly text: string;
}

const KINDS: readonly unknown[] = ['fact', 'decision', 'correction', 'promise', 'open', 'done'] satisfies FactKind[];
const SOURCES: readonly unknown[] = ['user', 'assistant', 'tool', 'note'] satisfies FactSource[];

export const isKind = (value: unknown): value is FactKind => KINDS.includes(value);
export const isSource = (value: unknown): value is FactSource => SOURCES.includes(value);

/** The ledger as lines, in the order given; a heading says who speaks. */
export function renderFacts(facts: readonly Fact[]): string {
  const lines: string[] = [];
  let by: FactSource | undefined;
  for (const fact of facts) {
    if (fact.by !== by) lines.push(`${fact.by}:`);
    by = fact.by;
    // A plain fact names its kind only where its own first word would pass for one.
    const kind = fact.kind === 'fact' && !/^(?:fact|decision|correction|promise|open|done): /.test(fact.text) ? '' : `${fact.kind}: `;
    lines.push(`- ${kind}${fact.text}`);
  }
  return lines.join('\n');
}

/** Reads what {@link renderFacts} wrote. */
export function parseFacts(text: string): readonly Fact[] {
  const facts: Fact[] = [];
  let by: FactSource = 'user';
  for (const line of text.split('\n')) {
    const heading = line.endsWith(':') && line.slice(0, -1);
    if (isSource(heading)) by = heading;
    const found = /^- (?:(fact|decision|correction|promise|open|done): )?(.+)$/.exec(line);
    if (found?.[2] !== undefined) facts.push({ kind: (found[1] as FactKind | undefined) ?? 'fact', by, text: found[2] });
  }
  return facts;
}
