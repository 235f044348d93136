import type { KeptReport } from '../inspector/kept-reports.js';
import type { Finding } from './finding.js';

/** Why a prefix broke where it should not have, and what to do; the first request and a fold are as they should be. */
const CAUSES: { readonly [reason: string]: readonly [what: string, fix: string] } = {
  reload: [
    'the soul had changed',
    'Edit the files of the soul between sessions, or all at once; MEMORY.md is read anew only in the next session.',
  ],
  tools: ['the tools had changed', 'Offer the same tools in every turn, and let a tool refuse what it should not do now.'],
  model: ['another model answered', 'Keep OPENAI_MODEL the same within a session.'],
  '': [
    'nothing that is known had changed',
    'Compare the turn with the one before: `agentos replay TURN --db FILE --session ID`. A hook of yours may rewrite the past.',
  ],
};

/** Requests that had to be read anew by the provider's cache, counted by their cause. */
export function breakFindings(
  sessions: readonly { readonly id: string; readonly reports: readonly Pick<KeptReport, 'turn' | 'prefix'>[] }[],
): readonly Finding[] {
  const seen = new Map<string, { count: number; last: string }>();
  for (const { id, reports } of sessions)
    for (const { turn, prefix } of reports)
      for (const { break: named, stability = 1 } of prefix) {
        const reason = named ?? (stability < 1 ? '' : undefined);
        if (reason === undefined || !Object.hasOwn(CAUSES, reason)) continue;
        seen.set(reason, { count: (seen.get(reason)?.count ?? 0) + 1, last: `turn ${turn} of session ${id}` });
      }
  return Object.entries(CAUSES).flatMap(([reason, [what, fix]]): readonly Finding[] => {
    const found = seen.get(reason);
    if (!found) return [];
    const requests = found.count === 1 ? '1 request' : `${found.count} requests`;
    return [{ severity: 'warning', what: `${requests} lost the cached prefix, the last in ${found.last}: ${what}.`, fix }];
  });
}
