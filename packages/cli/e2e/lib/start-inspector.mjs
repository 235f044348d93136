import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));

/**
 * Starts `agentos dev` with the offline model, in a process of its own.
 *
 * @param {readonly string[]} args - What follows `dev`.
 * @returns {Promise<{ url: string, stop(): Promise<void> }>}
 */
export async function startInspector(args) {
  const server = spawn(process.execPath, [bin, 'dev', ...args], { env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((done, fail) => {
    let text = '';
    server.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      const found = /Inspector: (\S+)/.exec(text);
      if (found) done(found[1]);
    });
    server.once('exit', (code) => fail(new Error(`the inspector ended with ${code}: ${text}`)));
  });
  return {
    url,
    /** May be called again. */
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      server.kill('SIGTERM');
      await new Promise((done) => server.once('exit', done));
    },
  };
}
