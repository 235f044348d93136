import { memoryTool } from '../dist/index.js';

/** One writing process of the proofs: adds `count` entries at once, tells how long each took, and when it was done. */
const [dir, name, count, maxBytes] = process.argv.slice(2);
const tool = memoryTool(dir, { maxBytes: { self: Number(maxBytes) }, lockTimeoutMs: 120_000 });
process.on('message', async (startAtMs) => {
  await new Promise((resolve) => setTimeout(resolve, startAtMs - Date.now()));
  const times = await Promise.all(
    Array.from({ length: Number(count) }, async (_, index) => {
      const from = performance.now();
      const result = await tool.execute({ action: 'add', text: `fact ${name}-${index} of the trial` });
      if (result.isError) throw new Error(result.output);
      return performance.now() - from;
    }),
  );
  process.send({ doneAtMs: Date.now(), times }, () => process.disconnect());
});
process.send('ready');
