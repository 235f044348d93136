import { useEffect, useRef, useState } from 'preact/hooks';
import { api, type Cause, type PromptLine, type PromptView, type Report } from './api.js';
import { problemText } from './problem-text.js';

/** The chosen turn's prompt, with the boundary between what is stable and what follows from state. */
export function PromptPanel({ session, report }: { session: string; report: Report | undefined }) {
  const [prompt, setPrompt] = useState<PromptView>();
  const [cause, setCause] = useState<{ readonly line: number; readonly text: string }>();
  const [onlyNew, setOnlyNew] = useState(false);
  const pointedAt = useRef<PromptLine>();
  const turn = report?.id;
  useEffect(() => {
    setPrompt(undefined);
    setCause(undefined);
    pointedAt.current = undefined;
    if (!turn) return undefined;
    let isLeft = false;
    api.prompt(session, turn).then(
      (next) => isLeft || setPrompt(next),
      (error: unknown) => isLeft || setCause({ line: 0, text: problemText(error) }),
    );
    return () => {
      isLeft = true;
    };
    // A turn whose question was answered has gone on: its last request is another one.
  }, [session, turn, report?.atMs]);
  if (!report) return <p class="empty">Say something, and this turn's prompt stands here.</p>;
  const explain = async (line: PromptLine) => {
    pointedAt.current = line;
    const text = await api.why(session, report.id, line.number).then(describe, problemText);
    if (pointedAt.current === line) setCause({ line: line.number, text });
  };
  const lines = prompt?.lines.filter(({ isNew }) => isNew || !onlyNew) ?? [];
  return (
    <>
      <PrefixBar report={report} />
      <label class="switch">
        <input type="checkbox" checked={onlyNew} onChange={(event) => setOnlyNew(event.currentTarget.checked)} /> only what is new since the
        turn before
      </label>
      <p class="cause" role="status">
        {cause ? cause.text : 'Point at a line, or focus it, to see what put it there.'}
      </p>
      <ol class="prompt" aria-label="Prompt, line by line">
        {lines.map((line, index) => (
          <li key={line.number} class={`${line.place}${line.isNew ? ' new' : ''}${boundary(lines, index) ? ' boundary' : ''}`}>
            <button type="button" onMouseEnter={() => void explain(line)} onFocus={() => void explain(line)}>
              <span class="part">{line.part}</span>
              <span class="text">{line.text || ' '}</span>
            </button>
          </li>
        ))}
      </ol>
      {(prompt?.gone.length ?? 0) > 0 && (
        <details>
          <summary>{prompt?.gone.length} lines are gone since the turn before</summary>
          <ul class="gone">
            {prompt?.gone.map((text, index) => (
              <li key={`${index}-${text}`}>{text}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

// The first line after the stable prefix.
function boundary(lines: readonly PromptLine[], index: number): boolean {
  return index > 0 && lines[index]?.place !== 'stable' && lines[index - 1]?.place === 'stable';
}

function describe({ place, part, element, changes }: Cause): string {
  const where = element ? `element ${element}` : `${place === 'conversation' ? `said by the ${part}` : `part ${part}`}`;
  const why = changes.map(({ by, why: reason, from, to }) => `${by}: ${String(from)} → ${String(to)}, ${reason}`);
  return [`${place}: ${where}.`, ...why].join(' ');
}

function PrefixBar({ report }: { report: Report }) {
  const last = report.prefix.at(-1);
  const share = Math.round((last?.cachedShare ?? 0) * 100);
  return (
    <div class="prefix">
      <meter min={0} max={100} value={share} aria-label={`Cached share ${share} percent`} />
      <span>
        {last?.cachedShare === undefined ? 'first request, nothing cached' : `${share} % of this request was already sent`}, stability{' '}
        {last?.stability?.toFixed(2) ?? '-'}
        {last?.break ? `, break: ${last.break}` : ''}; {report.inputTokens} in, {report.outputTokens} out, ${report.costUsd.toFixed(5)}
      </span>
    </div>
  );
}
