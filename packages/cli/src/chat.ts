import { createInterface } from 'node:readline/promises';
import { type Answer, type IPersonaDefinition, type ITool, isAgentosError, type PendingRequest } from '@x/agentos';
import pc from 'picocolors';
import { answerInLine, hintFor } from './answer-in-line.js';
import { buildGmi } from './build-gmi.js';
import type { Endpoint } from './endpoint.js';
import { formatReport } from './print-report.js';
import { createReporter } from './turn-report.js';

export interface ChatOptions {
  readonly endpoint: Endpoint;
  readonly persona: IPersonaDefinition | string;
  /** Beside the persona's own. */
  readonly tools?: readonly ITool[] | undefined;
  readonly json: boolean;
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/**
 * Talks until the input ends or says `/quit`, and counts the turns that failed. While a tool waits for a human, the next
 * line is the answer. Ctrl-C ends the turn that runs, then the program.
 */
export async function chat({ endpoint, persona, tools, json, input, output }: ChatOptions): Promise<{ readonly failed: number }> {
  const gmi = buildGmi(persona, endpoint, tools);
  const run = createReporter(gmi);
  const lines = createInterface({ input, output: json ? undefined : output });
  let turn: AbortController | undefined;
  let question: PendingRequest | undefined;
  let failed = 0;
  const prompt = (): void => {
    lines.setPrompt(pc.bold(question ? 'answer> ' : 'you> '));
    lines.prompt();
  };
  lines.on('SIGINT', () => (turn ? turn.abort(new Error('You ended the turn.')) : lines.close()));
  if (!json) output.write(`${gmi.persona.name} listens. /quit ends.\n`);
  prompt();
  for await (const line of lines) {
    const text = line.trim();
    if (text === '/quit') break;
    if (text !== '') {
      turn = new AbortController();
      try {
        const said: string | Answer = question ? answerInLine(question, text) : text;
        if (!json) output.write(pc.dim('…\n'));
        const report = await run(said, { signal: turn.signal });
        question = report.pending;
        output.write(`${json ? JSON.stringify(report) : formatReport(report)}\n`);
        if (question && !json) output.write(`${pc.yellow(hintFor(question))}\n`);
      } catch (error) {
        if (!turn.signal.aborted) failed += 1;
        const code = isAgentosError(error) ? error.code : undefined;
        output.write(`${json ? JSON.stringify({ error: String(error), code }) : pc.red(String(error))}\n`);
      }
      turn = undefined;
    }
    prompt();
  }
  lines.close();
  await gmi.shutdown();
  return { failed };
}
