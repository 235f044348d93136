import { useState } from 'preact/hooks';
import { type SessionView, say } from './api.js';
import { TurnList } from './turn-list.js';

interface Props {
  readonly view: SessionView;
  readonly turn: string | undefined;
  onTurn(id: string): void;
  onSaid(): void;
}

/** The talk, and where one says something. */
export function Chat({ view, turn, onTurn, onSaid }: Props) {
  const [text, setText] = useState('');
  const [running, setRunning] = useState<{ readonly user: string; readonly reply: string }>();
  const [problem, setProblem] = useState<string>();

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
      <TurnList session={view.id} name={view.persona.name} reports={view.reports} turn={turn} running={running} onTurn={onTurn} />
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
