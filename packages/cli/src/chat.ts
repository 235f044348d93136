import { createInterface } from 'node:readline/promises';
import { type IPersonaDefinition, isAgentosError } from '@x/agentos';
import pc from 'picocolors';
import { buildGmi } from './build-gmi.js';
import type { Endpoint } from './endpoint.js';
import { formatReport } from './print-report.js';
import { createReporter } from './turn-report.js';

export interface ChatOptions {
  readonly endpoint: Endpoint;
  readonly persona: IPersonaDefinition | string;
  readonly json: boolean;
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Talks until the input ends or says `/quit`, and counts the turns that failed. Ctrl-C ends the turn that runs, then the program. */
export async function chat({ endpoint, persona, json, input, output }: ChatOptions): Promise<{ readonly failed: number }> {
  const gmi = buildGmi(persona, endpoint);
  const run = createReporter(gmi);
  const lines = createInterface({ input, output: json ? undefined : output, prompt: pc.bold('you> ') });
  let turn: AbortController | undefined;
  let failed = 0;
  lines.on('SIGINT', () => (turn ? turn.abort(new Error('You ended the turn.')) : lines.close()));
  if (!json) output.write(`${gmi.persona.name} listens. /quit ends.\n`);
  lines.prompt();
  for await (const line of lines) {
    const text = line.trim();
    if (text === '/quit') break;
    if (text !== '') {
      turn = new AbortController();
      if (!json) output.write(pc.dim('…\n'));
      try {
        const report = await run(text, { signal: turn.signal });
        output.write(`${json ? JSON.stringify(report) : formatReport(report)}\n`);
      } catch (error) {
        if (!turn.signal.aborted) failed += 1;
        const code = isAgentosError(error) ? error.code : undefined;
        output.write(`${json ? JSON.stringify({ error: String(error), code }) : pc.red(String(error))}\n`);
      }
      turn = undefined;
    }
    lines.prompt();
  }
  lines.close();
  await gmi.shutdown();
  return { failed };
}
