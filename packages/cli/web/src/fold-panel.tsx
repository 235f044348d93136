import type { SessionView } from './api.js';

/** What the last fold left: how much, its summary, and the facts word for word. */
export function FoldPanel({ view: { fold, transcript } }: { view: SessionView }) {
  if (!fold) return <p class="empty">Nothing was folded yet: {transcript.now} messages, all of them as they were said.</p>;
  return (
    <>
      <p>
        Fold {fold.revision}: before, {transcript.original} messages; now {transcript.now}, of which one stands for the {fold.covered} that
        were folded. The originals are kept.
      </p>
      <h2>Summary</h2>
      <p class="summary">{fold.summary}</p>
      <h2>Facts, word for word</h2>
      <ul class="ledger">
        {fold.ledger.map((fact, index) => (
          <li key={`${index}-${fact}`}>{fact}</li>
        ))}
      </ul>
    </>
  );
}
