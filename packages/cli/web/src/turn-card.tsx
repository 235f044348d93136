import { Component } from 'preact';
import { api, type Report } from './api.js';
import { inWords } from './in-words.js';

interface Props {
  readonly session: string;
  readonly report: Report;
  readonly chosen: boolean;
  /** Its question is open. */
  readonly isWaiting: boolean;
  onTurn(id: string): void;
}

/** One turn of the talk. Model text only ever becomes text nodes. */
export class TurnCard extends Component<Props> {
  /** There may be a thousand, and few change. */
  override shouldComponentUpdate(next: Props): boolean {
    return next.report !== this.props.report || next.chosen !== this.props.chosen || next.isWaiting !== this.props.isWaiting;
  }

  override render({ session, report, chosen, isWaiting, onTurn }: Props) {
    const { id, user, reply, score, events, changes, evidence, turn, status, askedBy, limit, answers = [], tools = [] } = report;
    return (
      <article class={chosen ? 'turn chosen' : 'turn'}>
        <p class="user">{user}</p>
        {answers.map(({ tool, prompt, said }, index) => (
          <Exchange key={index} tool={tool} prompt={prompt} said={said} />
        ))}
        {status === 'pending' ? (
          <Exchange tool={askedBy ?? 'a tool'} prompt={reply} said={isWaiting ? undefined : 'not open any more'} />
        ) : (
          <p class="reply">{reply || <em>no words</em>}</p>
        )}
        <footer>
          <button type="button" aria-pressed={chosen} onClick={() => onTurn(id)}>
            Inspect turn {turn}
          </button>
          <span title={evidence.join(', ')}>score {score === null ? 'unknown' : score.toFixed(2)}</span>
          {events.map((event, index) => (
            <span key={index} class="tag event">
              {event}
            </span>
          ))}
          {changes.map(({ what, to, why }, index) => (
            <span key={index} class="tag change" title={why}>
              {what} → <bdi>{inWords(to)}</bdi>
            </span>
          ))}
          {tools.map(({ id: call, name, output, isError }) => (
            <span key={call} class={isError ? 'tag failed' : 'tag'} title={output}>
              {name}
              {isError && ' failed'}
            </span>
          ))}
          {limit && <span class="tag failed">stopped at {limit}</span>}
          <a href={api.exportUrl(session, id)} download>
            export
          </a>
        </footer>
      </article>
    );
  }
}

/** A question of a tool, and what was said to it. */
function Exchange({ tool, prompt, said }: { tool: string; prompt: string; said: string | undefined }) {
  return (
    <div class="exchange">
      <p>
        <b>{tool}</b> asked: <bdi>{prompt}</bdi>
      </p>
      <p>
        {said === undefined ? (
          <strong class="waits">waits for an answer</strong>
        ) : (
          <>
            → <bdi>{said}</bdi>
          </>
        )}
      </p>
    </div>
  );
}
