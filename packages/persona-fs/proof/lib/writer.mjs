/**
 * A writing process: adds entries to the notes of a directory through the memory tool.
 *
 *   writer.mjs <directory> <name> <count> <at once> <most bytes>
 *
 * Says `ready`, starts when told the time to start at, tells each acknowledged entry by a line on standard output as soon as it has the
 * answer, and at the end the times that each add took.
 */
import { writeSync } from 'node:fs';
import { memoryTool } from '@x/persona-fs';

const [dir, name, count, atOnce, maxBytes] = process.argv.slice(2);
const tool = memoryTool(dir, { maxBytes: { self: Number(maxBytes) }, lockTimeoutMs: 120_000 });
const times = [];

async function add(index) {
  const from = performance.now();
  const { isError, output } = await tool.execute({ action: 'add', text: `fact ${name}-${index} of the trial` });
  if (isError) throw new Error(output);
  times.push(performance.now() - from);
  writeSync(1, `${index}\n`);
}

process.once('message', async (startAtMs) => {
  await new Promise((resolve) => setTimeout(resolve, startAtMs - Date.now()));
  for (let next = 0; next < Number(count); ) {
    const group = Array.from({ length: Math.min(Number(atOnce), Number(count) - next) }, () => next++);
    await Promise.all(group.map(add));
  }
  process.send({ doneAtMs: Date.now(), times }, () => process.disconnect());
});
// Whoever started it is gone.
process.on('disconnect', () => process.exit());
process.send('ready');
