import type { Axis, SessionView } from './api.js';
import { inWords } from './in-words.js';

/** Mood, skill and complexity, what was imprinted, the traits as a radar, and the next beats. */
export function StatePanel({ view }: { view: SessionView }) {
  const { mood, skill, complexity, language, domain, imprints } = view.state;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['mood', mood],
    ['skill', skill],
    ['complexity', complexity],
    ['language', language],
    ['domain', domain],
    ...Object.entries(imprints).map(([key, value]) => [`imprint ${key}`, inWords(value)] as const),
  ];
  return (
    <>
      <dl class="state">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value ?? 'unknown'}</dd>
          </div>
        ))}
      </dl>
      <Radar axes={view.radar} />
      <h2>Next beats</h2>
      {view.schedule.length === 0 ? (
        <p class="empty">This persona has no heartbeat.</p>
      ) : (
        <ol>
          {view.schedule.map((at) => (
            <li key={at}>{new Date(at).toLocaleString()}</li>
          ))}
        </ol>
      )}
    </>
  );
}

function Radar({ axes }: { axes: readonly Axis[] }) {
  const path = (read: (axis: Axis) => number) =>
    axes.map((axis, index) => {
      const angle = (2 * Math.PI * index) / axes.length;
      return `${(read(axis) * 100 * Math.sin(angle)).toFixed(1)},${(-read(axis) * 100 * Math.cos(angle)).toFixed(1)}`;
    });
  const label = axes.map(({ label: name, value }) => `${name} ${value.toFixed(2)}`).join(', ');
  return (
    <figure class="radar">
      <svg viewBox="-150 -125 300 250" role="img" aria-label={`Traits: ${label}`}>
        {[0.25, 0.5, 0.75, 1].map((ring) => (
          <polygon key={ring} class="ring" points={path(() => ring).join(' ')} />
        ))}
        <polygon class="baseline" points={path(({ baseline }) => baseline).join(' ')} />
        <polygon class="value" points={path(({ value }) => value).join(' ')} />
        {axes.map(({ trait, label: name }, index) => {
          const angle = (2 * Math.PI * index) / axes.length;
          return (
            <text key={trait} x={112 * Math.sin(angle)} y={-112 * Math.cos(angle)} text-anchor="middle">
              {name}
            </text>
          );
        })}
      </svg>
      <figcaption>Dashed: the persona's own scores. Filled: this session.</figcaption>
    </figure>
  );
}
