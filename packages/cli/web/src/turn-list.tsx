import { useEffect, useRef, useState } from 'preact/hooks';
import type { Report } from './api.js';
import { TurnCard } from './turn-card.js';

interface Props {
  readonly session: string;
  /** Whom the talk is with. */
  readonly name: string;
  readonly reports: readonly Report[];
  readonly turn: string | undefined;
  /** The turn whose question is open. */
  readonly waiting: string | undefined;
  readonly running: { readonly user: string; readonly reply: string } | undefined;
  onTurn(id: string): void;
  onStop(): void;
}

/** Turns that are drawn and taken away together: few enough for one frame. */
const PAGE = 10;
/** Pages that are drawn before anything was scrolled. */
const FIRST = 3;
/** A page is drawn when it is so near to what is seen. */
const NEAR = '1500px 0px';
/** Pixels of a turn that was never drawn; the browser keeps what is seen in its place when the guess was wrong. */
const GUESS = 150;

/** The turns of a talk, oldest first, scrolled to the newest. Only the pages around what is seen are drawn. */
export function TurnList({ session, name, reports, turn, waiting, running, onTurn, onStop }: Props) {
  const pages = Math.ceil(reports.length / PAGE);
  const [near, setNear] = useState<ReadonlySet<number>>(() => new Set(Array.from({ length: FIRST }, (_, index) => pages - 1 - index)));
  const heights = useRef(new Map<number, number>());
  const box = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [reports.length, running?.reply]);
  useEffect(() => {
    const watch = new IntersectionObserver(
      (seen) =>
        setNear((now) => {
          const next = new Set(now);
          for (const { target, isIntersecting, boundingClientRect } of seen) {
            const page = Number((target as HTMLElement).dataset['page']);
            if (isIntersecting) next.add(page);
            else if (next.has(page) && !target.contains(document.activeElement)) {
              heights.current.set(page, boundingClientRect.height);
              next.delete(page);
            }
          }
          return next;
        }),
      { root: box.current, rootMargin: NEAR },
    );
    for (const page of box.current?.querySelectorAll('.page') ?? []) watch.observe(page);
    return () => watch.disconnect();
  }, [pages]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <div ref={box} class="turns" role="log" aria-live={running ? 'polite' : 'off'} tabIndex={0} aria-label={`Talk with ${name}`}>
      {Array.from({ length: pages }, (_, page) => {
        const turns = reports.slice(page * PAGE, (page + 1) * PAGE);
        const isDrawn = near.has(page) || page === pages - 1;
        return (
          <div
            key={page}
            class="page"
            data-page={page}
            style={isDrawn ? {} : { height: `${heights.current.get(page) ?? turns.length * GUESS}px` }}
          >
            {isDrawn &&
              turns.map((report) => (
                <TurnCard
                  key={report.id}
                  session={session}
                  report={report}
                  chosen={report.id === turn}
                  isWaiting={report.id === waiting}
                  onTurn={onTurn}
                />
              ))}
          </div>
        );
      })}
      {pages === 0 && !running && <p class="empty">Nothing was said yet.</p>}
      {running && (
        <article class="turn">
          <p class="user">{running.user}</p>
          <p class="reply">{running.reply || 'thinking…'}</p>
          <footer>
            <button type="button" onClick={onStop}>
              Stop
            </button>
          </footer>
        </article>
      )}
      <div ref={end} />
    </div>
  );
}
