import { useEffect, useRef, useState } from 'preact/hooks';
import { api, type Report, type SessionView, say } from './api.js';

interface Props {
  readonly view: SessionView;
  readonly turn: string | undefined;
  onTurn(id: string): void;
  onSaid(): void;
}

/** Only the newest turns are drawn at first, so that a long session opens at once. */
const FIRST = 50;

/** The talk. Model text only ever becomes text nodes. */
export function Chat({ view, turn, onTurn, onSaid }: Props) {
  const [text, setText] = useState('');
  const [running, setRunning] = useState<{ readonly user: string; readonly reply: string }>();
  const [problem, setProblem] = useState<string>();
  const [shown, setShown] = useState(FIRST);
  const end = useRef<HTMLDivElement>(null);
  const count = view.reports.length;
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [count, running?.reply]);

  const send = async (event: Event) => {
    event.preventDefault();
    const said = text.trim();
    if (said === '' || running) return;
    setText('');
    setProblem(undefined);
    setRunning({ user: said, reply: '' });
    try {
      await say(view.id, said, (message) => {
        if (message.type === 'delta') setRunning((now) => now && { ...now, reply: now.reply + message.text });
        if (message.type === 'error') setProblem(message.message);
      });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setRunning(undefined);
    onSaid();
  };
  return (
    <section class="chat" aria-label="Conversation">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <div class="turns" role="log" aria-live="polite" tabIndex={0} aria-label={`Talk with ${view.persona.name}`}>
        {count > shown && (
          <button type="button" class="more" onClick={() => setShown(shown + 200)}>
            Show {Math.min(200, count - shown)} earlier turns
          </button>
        )}
        {view.reports.slice(-shown).map((report) => (
          <TurnCard key={report.id} session={view.id} report={report} chosen={report.id === turn} onChoose={() => onTurn(report.id)} />
        ))}
        {running && (
          <article class="turn">
            <p class="user">{running.user}</p>
            <p class="reply">{running.reply || 'thinking…'}</p>
          </article>
        )}
        <div ref={end} />
      </div>
      {problem && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
      <form onSubmit={send}>
        <label for="say" class="hidden">
          Your message
        </label>
        <textarea
          id="say"
          rows={2}
          value={text}
          placeholder={`Say something to ${view.persona.name}`}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey) void send(event);
          }}
        />
        <button type="submit" disabled={running !== undefined || text.trim() === ''}>
          Send
        </button>
      </form>
    </section>
  );
}

function TurnCard({ session, report, chosen, onChoose }: { session: string; report: Report; chosen: boolean; onChoose(): void }) {
  const { user, reply, score, events, changes, evidence, turn } = report;
  return (
    <article class={chosen ? 'turn chosen' : 'turn'}>
      <p class="user">{user}</p>
      <p class="reply">{reply}</p>
      <footer>
        <button type="button" aria-pressed={chosen} onClick={onChoose}>
          Inspect turn {turn}
        </button>
        <span title={evidence.join(', ')}>score {score === null ? 'unknown' : score.toFixed(2)}</span>
        {events.map((event) => (
          <span key={event} class="tag event">
            {event}
          </span>
        ))}
        {changes.map(({ what, to, why }) => (
          <span key={what} class="tag change" title={why}>
            {what} → {String(to)}
          </span>
        ))}
        <a href={api.exportUrl(session, report.id)} download>
          export
        </a>
      </footer>
    </article>
  );
}
