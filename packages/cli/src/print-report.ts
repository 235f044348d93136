import pc from 'picocolors';
import type { TurnReport } from './turn-report.js';

const WIDTH = 100;

/** Says a report in lines for a terminal; colours appear only where the terminal has them. */
export function formatReport(report: TurnReport): string {
  const { score, evidence, events, fired, changes, elements, prefix, pending, limit, tools } = report;
  const lines = [
    pc.bold(`── turn ${report.turn} ${'─'.repeat(Math.max(0, WIDTH - 10 - String(report.turn).length))}`),
    ...field('user', `${report.user}${report.source ? pc.dim(`  (${report.source})`) : ''}`),
    ...(report.answer === undefined ? [] : field('human', pc.yellow(report.answer))),
    ...field(
      'score',
      `${score === null ? 'unknown' : score.toFixed(2)}${evidence.length > 0 ? `  because of ${evidence.map((word) => `“${word}”`).join(', ')}` : ''}`,
    ),
  ];
  if (events.length > 0) lines.push(...field('event', pc.yellow(events.join(', '))));
  if (fired.length > 0) lines.push(...field('fired', pc.magenta(`${fired.join(', ')}  (in the background, after the reply)`)));
  for (const { what, from, to, why } of changes)
    lines.push(...field('state', `${what} ${JSON.stringify(from)} → ${pc.green(JSON.stringify(to))}  ${pc.dim(why)}`));
  lines.push(
    ...field(
      'elements',
      `${elements.inPrompt.join(', ') || 'none'}${signed(elements.entered, '+', pc.green)}${signed(elements.left, '−', pc.red)}`,
    ),
  );
  for (const figures of prefix) lines.push(...field('prefix', prefixLine(figures)));
  lines.push(
    ...field('tokens', `${report.inputTokens} in, ${report.outputTokens} out, $${report.costUsd.toFixed(6)}`),
    ...tools.flatMap(({ name, output, isError }) => field('tool', `${name}: ${isError ? pc.red(output) : output}`)),
    ...(pending ? field('asks', pc.yellow(`${report.askedBy ?? 'a tool'}: ${report.reply}`)) : field('reply', pc.cyan(report.reply))),
    ...(limit ? field('stopped', pc.red(`at the limit ${limit}`)) : []),
  );
  return lines.join('\n');
}

function prefixLine({ step, stability, cachedShare, break: reason }: TurnReport['prefix'][number]): string {
  const figure = (value: number | undefined): string => (value === undefined ? '-' : value.toFixed(2));
  return `stability ${figure(stability)}, cached share ${figure(cachedShare)}${step > 0 ? `  (step ${step + 1})` : ''}${reason ? `  break: ${reason}` : ''}`;
}

function signed(ids: readonly string[], sign: string, colour: (text: string) => string): string {
  return ids.map((id) => colour(`  ${sign}${id}`)).join('');
}

function field(name: string, text: string): readonly string[] {
  return wrap(text.trim()).map((line, index) => `${index === 0 ? pc.dim(name.padEnd(9)) : ' '.repeat(9)} ${line}`);
}

// Breaks at spaces; escape codes of colours count as letters, which only makes coloured lines a little shorter.
function wrap(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = [];
    let current = '';
    for (const word of line.split(' ')) {
      if (current !== '' && current.length + word.length > WIDTH - 10) {
        lines.push(current);
        current = word;
      } else current = current === '' ? word : `${current} ${word}`;
    }
    return [...lines, current];
  });
}
