import { Component } from 'preact';
import { api, type Report } from './api.js';

interface Props {
  readonly session: string;
  readonly report: Report;
  readonly chosen: boolean;
  onTurn(id: string): void;
}

/** One turn of the talk. Model text only ever becomes text nodes. */
export class TurnCard extends Component<Props> {
  /** There may be a thousand, and a report never changes. */
  override shouldComponentUpdate(next: Props): boolean {
    return next.report !== this.props.report || next.chosen !== this.props.chosen;
  }

  override render({ session, report, chosen, onTurn }: Props) {
    const { id, user, reply, score, events, changes, evidence, turn } = report;
    return (
      <article class={chosen ? 'turn chosen' : 'turn'}>
        <p class="user">{user}</p>
        <p class="reply">{reply}</p>
        <footer>
          <button type="button" aria-pressed={chosen} onClick={() => onTurn(id)}>
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
          <a href={api.exportUrl(session, id)} download>
            export
          </a>
        </footer>
      </article>
    );
  }
}
