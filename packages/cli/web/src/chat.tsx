import { useEffect, useRef, useState } from 'preact/hooks';
import { api, type Question, type Said, type SessionView, say } from './api.js';
import { problemText } from './problem-text.js';
import { QuestionForm } from './question-form.js';
import { TurnList } from './turn-list.js';

interface Props {
  readonly view: SessionView;
  readonly turn: string | undefined;
  onTurn(id: string): void;
  /** The session is another one now; settles when the page has it, and throws when it cannot be had. */
  onSaid(): Promise<void>;
}

/** How often the page looks whether an answer that was given elsewhere has been worked on. */
const LOOK_MS = 1_000;
/** Browsers fire a timer at once that is set further ahead. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The talk, and where one says something: a message, or an answer while a question is open. */
export function Chat({ view, turn, onTurn, onSaid }: Props) {
  const [text, setText] = useState('');
  const [running, setRunning] = useState<{ readonly user: string; readonly reply: string }>();
  const [problem, setProblem] = useState<string>();
  const { question, persona } = view;
  const isOver = useIsOver(question?.expiresAtMs);
  const asked = question && !isOver ? question : undefined;
  const asking = asked && `${asked.turn}/${view.reports.find(({ id }) => id === asked.turn)?.answers?.length ?? 0}`;
  const title = useRef<HTMLHeadingElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);

  /** What went wrong first is told. */
  const look = () => onSaid().catch((error) => setProblem((now) => now ?? problemText(error)));
  const run = async (work: () => Promise<void>): Promise<boolean> => {
    setProblem(undefined);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(problemText(error));
      return false;
    } finally {
      await look();
      setRunning(undefined);
    }
  };
  const speak = (said: Said, words: string) => {
    setRunning({ user: words, reply: '' });
    return run(() => say(view.id, said, (delta) => setRunning((now) => now && { ...now, reply: now.reply + delta })));
  };
  const stop = () => void api.stop(view.id).catch((error) => setProblem(problemText(error)));
  const send = async (event: Event) => {
    event.preventDefault();
    const said = text.trim();
    if (said === '' || running) return;
    setText('');
    // What could not be said is not lost.
    if (!(await speak({ text: said }, said))) setText((now) => now || said);
  };

  useEffect(() => {
    if (!question?.isAnswered || running) return undefined;
    const timer = setTimeout(() => void look(), LOOK_MS);
    return () => clearTimeout(timer);
  }, [view, running]);
  useFocusOn(running ? undefined : asking ? title : field, `${asking} ${running !== undefined}`);

  return (
    <section class="chat" aria-label="Conversation">
      <TurnList
        session={view.id}
        name={persona.name}
        reports={view.reports}
        waiting={question?.turn}
        turn={turn}
        running={running}
        onTurn={onTurn}
        onStop={stop}
      />
      {problem && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
      <p role="status" class="note">
        {statusOf(question, { isOver, isRunning: running !== undefined })}
      </p>
      {asked ? (
        <QuestionForm
          key={asking}
          question={asked}
          isBusy={running !== undefined}
          title={title}
          onReply={({ words, ...reply }) => void speak({ question: asked.id, ...reply }, words)}
          onStop={stop}
          onDrop={() => void run(async () => void (await api.drop(view.id, asked.id)))}
        />
      ) : (
        <form class="say" onSubmit={send}>
          <label for="say" class="hidden">
            Your message
          </label>
          <textarea
            id="say"
            ref={field}
            rows={2}
            dir="auto"
            value={text}
            placeholder={`Say something to ${persona.name}`}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) void send(event);
            }}
          />
          <button type="submit" disabled={running !== undefined || text.trim() === ''}>
            Send
          </button>
        </form>
      )}
    </section>
  );
}

function statusOf(
  question: Question | undefined,
  { isOver, isRunning }: { readonly isOver: boolean; readonly isRunning: boolean },
): string {
  if (!question || isRunning) return '';
  if (isOver) return `The time to answer “${question.prompt}” is over. Your next message closes the question.`;
  return question.isAnswered ? 'This question was answered, and the turn goes on.' : 'The turn waits for your answer.';
}

/** Whether a time is over, kept true while the page is open. */
function useIsOver(atMs: number | undefined): boolean {
  const [, setLooks] = useState(0);
  const isOver = atMs !== undefined && Date.now() > atMs;
  useEffect(() => {
    if (atMs === undefined || isOver) return undefined;
    const timer = setTimeout(() => setLooks((looks) => looks + 1), Math.min(atMs - Date.now() + 1, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  });
  return isOver;
}

/** After a change, moves the focus to what took the place of the focused element, but never away from elsewhere. */
function useFocusOn(target: { readonly current: HTMLElement | null } | undefined, change: string): void {
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current && document.activeElement === document.body) target?.current?.focus();
    isFirst.current = false;
  }, [change]);
}
