import type { Ref } from 'preact';
import { useState } from 'preact/hooks';
import type { Question } from './api.js';

/** What is said to a question, and in which words the talk shows it. */
export interface Reply {
  readonly ok: boolean;
  readonly value?: string | undefined;
  readonly words: string;
}

interface Props {
  readonly question: Question;
  readonly isBusy: boolean;
  readonly title: Ref<HTMLHeadingElement>;
  onReply(reply: Reply): void;
  onDrop(): void;
  /** Of the turn that works on an answer given elsewhere. */
  onStop(): void;
}

/** The question that a turn waits with, and how it is answered. */
export function QuestionForm({ question, isBusy, title, onReply, onDrop, onStop }: Props) {
  const { form, asker, prompt, url, hasTool, tool } = question;
  const [value, setValue] = useState('');
  const off = isBusy || question.isAnswered;
  const button = (words: string, reply: Omit<Reply, 'words'>) => (
    <button
      key={words}
      type="button"
      disabled={off || (reply.ok && !hasTool)}
      aria-describedby="question-text"
      onClick={() => onReply({ ...reply, words })}
    >
      {words}
    </button>
  );
  const submit = (event: Event) => {
    event.preventDefault();
    const text = value.trim();
    if (!off && hasTool && (text !== '' || (form.kind === 'text' && form.mayBeEmpty)))
      onReply({ ok: true, value: text, words: text || 'Done' });
  };
  return (
    <section class="question" aria-labelledby="question-title">
      <h2 id="question-title" tabIndex={-1} ref={title} aria-describedby="question-text">
        {asker} asks you
      </h2>
      <p id="question-text" class="asked">
        {prompt}
      </p>
      {url && <p>{/^https?:\/\//i.test(url) ? <Link url={url} /> : <code>{url}</code>}</p>}
      <About question={question} />
      {!hasTool && <p>This process has no tool {tool}. Answer in the program that has it; here the question can be declined or dropped.</p>}
      {form.kind === 'text' ? (
        <form class="reply-form" onSubmit={submit}>
          <label for="answer">Your answer{form.mayBeEmpty ? ' (may be left empty)' : ''}</label>
          <textarea
            id="answer"
            rows={2}
            dir="auto"
            value={value}
            maxLength={20_000}
            aria-describedby="question-text"
            onInput={(event) => setValue(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) submit(event);
            }}
          />
          <div class="replies">
            <button type="submit" disabled={off || !hasTool || (value.trim() === '' && !form.mayBeEmpty)}>
              Answer
            </button>
            {button('Decline', { ok: false })}
          </div>
        </form>
      ) : (
        <div class="replies">
          {form.kind === 'yes-no'
            ? [button('Yes', { ok: true }), button('No', { ok: false })]
            : [...form.choices.map((choice) => button(choice, { ok: true, value: choice })), button('None of these', { ok: false })]}
        </div>
      )}
      {question.isAnswered && !isBusy && (
        <p>
          <button type="button" onClick={onStop}>
            Stop
          </button>
        </p>
      )}
      <p class="drop">
        <button type="button" disabled={off} onClick={onDrop}>
          Drop this turn
        </button>{' '}
        <small>ends it here, without asking the model.</small>
      </p>
    </section>
  );
}

function Link({ url }: { url: string }) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {url}
    </a>
  );
}

/** Who asks, since when, and what exactly would be done. */
function About({ question: { tool, args, sinceMs, expiresAtMs, data } }: { question: Question }) {
  const more = withoutChoices(data);
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Tool', tool],
    ['Asked', sinceMs === undefined ? 'at a time that nobody noted' : new Date(sinceMs).toLocaleString()],
    ['Answer until', expiresAtMs === undefined ? undefined : new Date(expiresAtMs).toLocaleString()],
    ['With', isEmpty(args) ? undefined : indented(args)],
    ['More', more === undefined ? undefined : JSON.stringify(more, null, 2)],
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section class="about" tabIndex={0} aria-label="About the question">
      <dl>
        {rows.map(
          ([name, text]) =>
            text !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}

const isEmpty = (args: string): boolean => ['', '{}'].includes(args.replace(/\s/g, ''));

function indented(args: string): string {
  try {
    return JSON.stringify(JSON.parse(args), null, 2);
  } catch {
    return args;
  }
}

// The choices are the buttons.
function withoutChoices(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return data ?? undefined;
  const { choices: _, ...rest } = data as { readonly [key: string]: unknown };
  return Object.keys(rest).length > 0 ? rest : undefined;
}
