import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { Report } from './api.js';
import { inWords } from './in-words.js';

const MOODS = ['frustrated', 'assertive', 'analytical', 'neutral', 'focused', 'curious', 'creative', 'empathetic'];

/** With more turns the points of a line would hide it. */
const MARKED = 100;
/** Turns in the list below the plot. */
const LISTED = 100;
const HEIGHT = 260;

/** Score and mood over the turns, with what happened as a list for those who cannot see the plot. */
export function Timeline({ reports }: { reports: readonly Report[] }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const host = box.current;
    if (!host || reports.length === 0) return undefined;
    let plot = draw(host, reports);
    const follow = new ResizeObserver(() => plot.setSize({ width: host.clientWidth, height: HEIGHT }));
    follow.observe(host);
    // A canvas keeps the colours that it was drawn with.
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => {
      plot.destroy();
      plot = draw(host, reports);
    };
    scheme.addEventListener('change', redraw);
    return () => {
      scheme.removeEventListener('change', redraw);
      follow.disconnect();
      plot.destroy();
    };
  }, [reports]);
  if (reports.length === 0) return <p class="empty">Say something, and its score and the mood stand here.</p>;
  const marked = reports.filter(({ events, fired, changes }) => events.length + fired.length + changes.length > 0);
  return (
    <>
      <div ref={box} class="plot" role="img" aria-label={`Score and mood over ${reports.length} turns; the list below says the same`} />
      {marked.length === 0 && <p class="empty">In none of the {reports.length} turns anything was noticed or changed.</p>}
      <ol class="marks" aria-label="What happened, newest first">
        {[...marked.slice(-LISTED)].reverse().map(({ id, turn, events, fired, changes, score }) => (
          <li key={id}>
            <b>Turn {turn}</b> score {score === null ? 'unknown' : score.toFixed(2)} {events.join(', ')}{' '}
            {fired.length > 0 && `fired ${fired.join(', ')}`}
            {changes.map(({ what, from, to }) => ` ${what} ${inWords(from)} → ${inWords(to)}`).join(';')}
          </li>
        ))}
      </ol>
      {marked.length > LISTED && <p>{marked.length - LISTED} older ones are not listed; the plot has them.</p>}
    </>
  );
}

function draw(host: HTMLElement, reports: readonly Report[]): uPlot {
  const axis = { stroke: getComputedStyle(host).color, grid: { stroke: '#8884' } };
  return new uPlot(
    {
      width: host.clientWidth,
      height: HEIGHT,
      scales: { x: { time: false }, score: { range: [-1, 1] }, mood: { range: [-0.5, MOODS.length - 0.5] } },
      axes: [
        { ...axis, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000] },
        { ...axis, scale: 'score' },
        {
          ...axis,
          grid: { show: false },
          scale: 'mood',
          side: 1,
          size: 90,
          splits: () => MOODS.map((_, index) => index),
          values: (_, ticks) => ticks.map((tick) => MOODS[tick] ?? ''),
        },
      ],
      series: [
        { label: 'turn' },
        { label: 'score', scale: 'score', stroke: '#2a6', width: 2, points: { show: reports.length <= MARKED } },
        {
          label: 'mood',
          scale: 'mood',
          stroke: '#c70',
          width: 2,
          ...(uPlot.paths.stepped && { paths: uPlot.paths.stepped({ align: 1 }) }),
          value: (_, value) => MOODS[value ?? -1] ?? '',
        },
      ],
    },
    [reports.map(({ turn }) => turn), reports.map(({ score }) => score), reports.map(({ stateAfter }) => MOODS.indexOf(stateAfter.mood))],
    host,
  );
}
