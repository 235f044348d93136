import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createOfflineModel, type ModelServer, startModelServer } from '@x/testkit';

const here = fileURLToPath(new URL('.', import.meta.url));

export interface ExampleRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What the example asked the model, oldest first. */
  readonly requests: ModelServer['requests'];
}

/**
 * Runs an example as a user would: in a process of its own, against the built packages, in a folder that holds a copy
 * of the persona `ava`. The offline model answers, on loopback.
 */
export async function runExample(file: string): Promise<ExampleRun> {
  const server = await startModelServer({ script: createOfflineModel() });
  const folder = mkdtempSync(join(tmpdir(), 'x-example-'));
  try {
    cpSync(join(here, 'persona-agent'), join(folder, 'personas'), { recursive: true });
    const environment = {
      PATH: process.env['PATH'],
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: 'test',
      OPENROUTER_API_KEY: 'test',
      TEST_BASE_URL: server.baseUrl,
    };
    const loader = fileURLToPath(import.meta.resolve('tsx'));
    const child = spawn(process.execPath, ['--import', loader, join(here, file)], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const code = await new Promise<number | null>((done, fail) => child.once('error', fail).once('close', done));
    return { code, stdout, stderr, requests: server.requests };
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
