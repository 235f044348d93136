import type { KeptReport } from './kept-reports.js';
import type { PromptView } from './prompt-view.js';

const inHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** One turn as a page of its own, without scripts, that any browser opens. */
export function exportTurn(report: KeptReport, { lines, gone }: PromptView): string {
  const row = (name: string, value: string): string => `<tr><th>${inHtml(name)}</th><td dir="auto">${inHtml(value)}</td></tr>`;
  // Reports of earlier builds have no tools.
  const { answers = [], tools = [], askedBy = 'A tool' } = report;
  const prompt = lines
    .map(
      ({ text, place, part, isNew }) =>
        `<div class="${place}${isNew ? ' new' : ''}"><span>${inHtml(part)}</span>${inHtml(text) || '&nbsp;'}</div>`,
    )
    .join('\n');
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Turn ${report.turn}</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}td{white-space:pre-wrap}th{overflow-wrap:normal;text-align:left;vertical-align:top;padding-right:1rem}
div{white-space:pre-wrap;unicode-bidi:plaintext;border-left:4px solid #bbb;padding-left:.6rem}div.stable{border-color:#2a6}div.volatile{border-color:#c70}div.new{background:#fff3d6}span{float:right;color:#777;font-size:12px}</style>
<h1>Turn ${report.turn}</h1>
<table>${[
    row('User', report.user),
    row('Score', report.score === null ? 'unknown' : report.score.toFixed(2)),
    row('Events', report.events.join(', ') || 'none'),
    row('Fired', report.fired.join(', ') || 'none'),
    ...report.changes.map(({ what, from, to, why }) => row(what, `${JSON.stringify(from)} → ${JSON.stringify(to)} (${why})`)),
    row('Tokens', `${report.inputTokens} in, ${report.outputTokens} out`),
    ...answers.map(({ tool, prompt, said }) => row(`${tool} asked`, `${prompt} → ${said}`)),
    ...tools.map(({ name, output }) => row(`Tool ${name}`, output)),
    report.status === 'pending' ? row(`${askedBy} asks`, report.reply) : row('Reply', report.reply),
    ...(report.limit ? [row('Stopped', `at the limit ${report.limit}`)] : []),
  ].join('')}</table>
<h2>The prompt</h2>
<p>Green: stable prefix. Orange: notes. Grey: conversation. Shaded: new since the turn before.</p>
${prompt}
${gone.length > 0 ? `<h2>Gone since the turn before</h2>${gone.map((text) => `<div>${inHtml(text)}</div>`).join('\n')}` : ''}
</html>
`;
}
