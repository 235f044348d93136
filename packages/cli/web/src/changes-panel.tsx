import type { Change } from './api.js';
import { inWords } from './in-words.js';

/** The log of changes, newest first; each can be taken back, which is a change of its own. */
export function ChangesPanel({ changes, onUndo }: { changes: readonly Change[]; onUndo(id: string): void }) {
  if (changes.length === 0) return <p class="empty">Nothing has changed yet.</p>;
  return (
    <ol class="changes" aria-label="Changes, newest first">
      {[...changes].reverse().map((change) => (
        <li key={change.id}>
          <b>{nameOf(change)}</b> <bdi>{inWords(change.from)}</bdi> → <bdi>{inWords(change.to)}</bdi>
          <small>
            {change.by}: {change.why}
          </small>
          <button type="button" aria-label={`Undo ${nameOf(change)} → ${inWords(change.to)}`} onClick={() => onUndo(change.id)}>
            Undo
          </button>
        </li>
      ))}
    </ol>
  );
}

function nameOf({ operation }: Change): string {
  const { set, imprint, trait, unset } = operation;
  return String(set ?? (imprint ? `imprint ${String(imprint)}` : undefined) ?? trait ?? unset);
}
