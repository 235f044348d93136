import type { SessionView } from './api.js';

/** What a persona directory has noted, by whom, and every edit with its diff. */
export function MemoryPanel({ memory, onUndo }: { memory: SessionView['memory']; onUndo(id: string): void }) {
  if (!memory)
    return <p class="empty">This persona has no folder. Start the inspector with one (agentos dev ava) to see its notes here.</p>;
  return (
    <>
      <h2>Notes</h2>
      {memory.entries.length === 0 && <p class="empty">Nothing was noted yet.</p>}
      <ul class="notes">
        {memory.entries.map(({ target, text, by }, index) => (
          <li key={`${index}-${text}`}>
            {text}{' '}
            <small>
              {target === 'user' ? 'USER.md' : 'MEMORY.md'}
              {by ? `, by ${by.sender ?? by.kind}` : ', by hand'}
            </small>
          </li>
        ))}
      </ul>
      <h2>Edits</h2>
      {memory.log.length === 0 && <p class="empty">Nothing was edited yet.</p>}
      <ol class="edits" aria-label="Edits, newest first">
        {[...memory.log].reverse().map(({ id, action, file, before, after, by }) => (
          <li key={id}>
            <b>{action}</b> {file} <small>by {by.sender ?? by.kind}</small>
            {before && <del>{before}</del>}
            {after && <ins>{after}</ins>}
            <button type="button" aria-label={`Undo ${action} ${file} ${after || before}`.trim().slice(0, 200)} onClick={() => onUndo(id)}>
              Undo
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}
