/** `npm run bench -w @x/prompt-engine`: prints microseconds per prompt, ours and the published engine's. */
import { measureSpeed, quantile } from './measure-speed.mjs';

const rows = await measureSpeed({ log: (line) => console.error(`  ${line}`) });
const cell = (value) => value.toFixed(1).padStart(10);
console.log(`${'microseconds per prompt'.padEnd(30)}${'median'.padStart(10)}${'p99'.padStart(10)}${'first'.padStart(10)}`);
for (const { name, own, peer } of rows) {
  const print = (who, { micros, firstMicros }) =>
    console.log(`${who.padEnd(30)}${cell(quantile(micros, 0.5))}${cell(quantile(micros, 0.99))}${cell(quantile(firstMicros, 0.5))}`);
  print(name, own);
  if (peer === undefined) continue;
  print('  @framers/agentos 0.9.164', peer);
  console.log(`${'  times faster'.padEnd(30)}${cell(quantile(peer.micros, 0.5) / quantile(own.micros, 0.5))}`);
}
const [small, , large] = rows.map(({ own }) => ({ total: quantile(own.micros, 0.5), copy: quantile(own.copyMicros, 0.5) }));
console.log(`${'copying the list'.padEnd(30)}${cell(small.copy)}  (50 messages)${cell(large.copy)}  (5,000)`);
const growth = (large.total - large.copy) / (small.total - small.copy);
console.log(`${'5,000 against 50 messages'.padEnd(30)}${growth.toFixed(2).padStart(10)}  times, both without the copy`);
if (rows[0].peer === undefined) console.log('The published engine is not installed: npm ci --prefix bench/peers');
