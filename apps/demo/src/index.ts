import { chat, endWhenNobodyReads, formatReport, inspect, openEndpoint, personas, personaTools, tutor } from '@x/cli';
import pc from 'picocolors';
import { HELP, readArguments } from './arguments.js';
import { replay } from './replay.js';
import { formatSummary } from './summary.js';

async function main(): Promise<void> {
  const options = readArguments(process.argv.slice(2));
  if (options.help) return void process.stdout.write(HELP);
  const endpoint = await openEndpoint(process.env);
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  try {
    if (!options.json) say(pc.dim(`${endpoint.description}\n`));
    if (options.chat) {
      await chat({ endpoint, persona: options.persona ?? tutor, json: options.json, input: process.stdin, output: process.stdout });
      return;
    }
    if (options.inspect) return await inspect({ endpoint, personas, tools: personaTools, dir: options.persona, db: options.db, say });
    const reports = await replay({
      endpoint,
      persona: options.persona,
      onConversation: (title, persona) => options.json || say(pc.bold(pc.inverse(` ${title}, persona ${persona} `))),
      onTurn: (report) => say(options.json ? JSON.stringify(report) : `${formatReport(report)}\n`),
    });
    if (!options.json) say(formatSummary(reports, endpoint.offline));
  } finally {
    await endpoint.close();
  }
}

endWhenNobodyReads();
main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
