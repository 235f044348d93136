import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts a writing process and waits until it is ready. `acknowledged` grows as its entries are. */
export async function startWriter({ dir, name, count, atOnce, maxBytes }) {
  const file = fileURLToPath(new URL('writer.mjs', import.meta.url));
  const child = fork(file, [dir, name, count, atOnce, maxBytes].map(String), { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], execArgv: [] });
  const acknowledged = [];
  let rest = '';
  child.stdout.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    acknowledged.push(...lines);
  });
  const closed = once(child, 'close');
  const reports = [];
  child.on('message', (message) => message !== 'ready' && reports.push(message));
  await once(child, 'message');
  return { name, child, acknowledged, closed, report: () => reports[0], go: (startAtMs) => child.send(startAtMs) };
}
