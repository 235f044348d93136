/** Random conversations, sound and broken, in one dialect, through compactors with random options. */
import { charsOverFour, compactor, estimateTokens } from '@x/compactor';
import { estimateToolTokens } from '@x/core';
import { checkOne } from './check.mjs';

const api = {
  compactor,
  charsOverFour,
  estimateTokens,
  estimateTools: (tools) => tools.reduce((sum, tool) => sum + estimateToolTokens(tool), 0),
};

/** One proof for each dialect, so that none runs longer than a proof may. */
export async function proveDialect(dialect, { short, log }) {
  const runs = short ? 1_000 : 100_000;
  const faults = [];
  const statuses = {};
  for (let seed = 0; seed < runs; seed += 1) {
    const result = await checkOne(api, seed, dialect);
    for (const status of result.statuses) statuses[status] = (statuses[status] ?? 0) + 1;
    if (result.faults.length > 0) faults.push(`seed ${seed}: ${result.faults[0]}`);
    if (seed % 10_000 === 9_999) log(`${seed + 1} of ${runs}, ${faults.length} faults`);
  }
  for (const fault of faults.slice(0, 5)) log(fault);
  const { folded = 0, pruned = 0, shortened = 0, over_budget: over = 0, failed = 0 } = statuses;
  return [
    {
      claim: `${runs.toLocaleString('en')} random histories in the ${dialect} dialect, every option drawn at random: no orphan, no duplicate, the newest request there, within budget or with a typed reason`,
      figure: `${faults.length} faults; ${folded} folded, ${pruned + shortened} shortened, ${over} over budget with a reason, ${failed} failed and changed nothing`,
      limit: '0 faults',
      pass: faults.length === 0 && folded > runs / 10,
    },
  ];
}
