import { useState } from 'preact/hooks';
import type { PersonaChoice, SessionRow } from './api.js';

interface Props {
  readonly personas: readonly PersonaChoice[];
  readonly sessions: readonly SessionRow[];
  readonly current: string | undefined;
  onOpen(id: string): void;
  onCreate(persona: string): void;
}

/** Opens an old session or starts one. */
export function SessionPicker({ personas, sessions, current, onOpen, onCreate }: Props) {
  const [persona, setPersona] = useState('');
  const chosen = persona || personas[0]?.id || '';
  return (
    <nav aria-label="Sessions">
      <div>
        <label for="session">Session</label>
        <select id="session" value={current ?? ''} onChange={(event) => onOpen(event.currentTarget.value)} disabled={sessions.length === 0}>
          {current === undefined && <option value="">none yet</option>}
          {sessions.map(({ id, title, turns, persona: who, isWaiting }) => (
            <option key={id} value={id}>
              {`${who}${isWaiting ? ' waits for you' : ''}: ${isolated(title)} (${turns})`}
            </option>
          ))}
        </select>
      </div>
      <div>
        <label for="persona">New session with</label>
        <select id="persona" value={chosen} onChange={(event) => setPersona(event.currentTarget.value)}>
          {personas.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <button type="button" onClick={() => onCreate(chosen)} disabled={chosen === ''}>
        Start
      </button>
    </nav>
  );
}

/** A text that keeps its own direction beside others; options of a list take no elements that would do it. */
function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
