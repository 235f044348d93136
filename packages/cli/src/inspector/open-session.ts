import { type Answer, AnswerMismatchError, createId, type GMI, isAgentosError, NothingParkedError, type Parked } from '@x/agentos';
import { answerTo, inWords } from '../answer-form.js';
import { AnswerInvalidError, TurnStoppedError } from '../errors.js';
import { createReporter } from '../turn-report.js';
import { type Answered, droppedReport, joinReports } from './answered-report.js';
import type { KeptReport, KeptReports } from './kept-reports.js';
import { type OpenQuestion, openQuestion, waitingCall } from './open-question.js';
import type { SessionRow } from './session-index.js';

/** A human's word on an open question, as the page sends it. */
export interface SaidToQuestion {
  /** The id of the question. */
  readonly question: string;
  /** False declines. */
  readonly ok?: unknown;
  readonly value?: unknown;
}

export interface OpenSession {
  readonly id: string;
  readonly gmi: GMI;
  /** The folder of a persona directory. */
  readonly dir?: string | undefined;
  reports(): Promise<readonly KeptReport[]>;
  /** Messages that come while one is answered wait for it. */
  say(text: string, onText: (delta: string) => void, signal: AbortSignal): Promise<KeptReport>;
  /** The question that a turn waits with, if one does. */
  question(): Promise<OpenQuestion | undefined>;
  /**
   * Goes on with the turn that waits. It has no signal: an answer that was given counts, also when who gave it goes away.
   *
   * @throws `answer_invalid`, `nothing_parked`, `answer_mismatch`, `answer_used`, and what a turn throws.
   */
  answer(said: SaidToQuestion, onText: (delta: string) => void): Promise<KeptReport>;
  /** Ends the turn that waits with this question; the model is not asked. @throws `nothing_parked`, `answer_mismatch` */
  drop(question: string): Promise<void>;
  /** Ends the turn that runs, if one does: it throws `turn_stopped`. */
  stop(): void;
}

/** Errors that say that the question is no longer as it was shown. */
const OUT_OF_DATE: ReadonlySet<string> = new Set(['nothing_parked', 'answer_mismatch', 'answer_used']);

/** One session: its turns one after the other, the report of each, and the question that is open. */
export async function createOpenSession(
  row: SessionRow,
  {
    gmi,
    reports,
    tools,
    save,
  }: {
    readonly gmi: GMI;
    readonly reports: KeptReports;
    /** The names of those that may ask a human. */
    readonly tools: ReadonlySet<string>;
    save(row: SessionRow): Promise<void>;
  },
): Promise<OpenSession> {
  let kept = [...(await reports.all())];
  const report = createReporter(gmi, { turn: 0, elements: kept.at(-1)?.elements.inPrompt ?? [] });
  let answering: string | undefined;
  let stopper = new AbortController();

  const keep = async (made: KeptReport): Promise<KeptReport> => {
    await reports.add(made);
    const at = kept.findIndex(({ id }) => id === made.id);
    if (at < 0) kept.push(made);
    else kept[at] = made;
    const title = kept[0]?.user.slice(0, 60) ?? row.title;
    await save({ ...row, title, turns: kept.length, updatedMs: made.atMs, isWaiting: kept.at(-1)?.status === 'pending' });
    return made;
  };
  /** Another inspector on the same file may have run the turn. */
  const reportOf = async (turn: string): Promise<KeptReport | undefined> => {
    const known = kept.find(({ id }) => id === turn);
    if (known) return known;
    kept = [...(await reports.all())];
    return kept.find(({ id }) => id === turn);
  };
  const nextNumber = (): number => (kept.at(-1)?.turn ?? 0) + 1;
  const parked = async (): Promise<Parked | undefined> => {
    const { conversation } = await gmi.session();
    return (await (await gmi.lane()).store.load(conversation)).parked;
  };
  const waiting = async (question: string): Promise<Parked> => {
    const found = await parked();
    if (!found) throw new NothingParkedError();
    if (found.request.id !== question) throw new AnswerMismatchError({ expected: found.request.id, got: question });
    return found;
  };
  const answered = (open: Parked, said: string): Answered => {
    const { id, prompt } = open.request;
    return { id, tool: waitingCall(open).tool, prompt, said, atMs: Date.now() };
  };

  const say: OpenSession['say'] = async (text, onText, signal) => {
    const open = kept.at(-1)?.status === 'pending' ? await parked() : undefined;
    const id = createId('turn');
    const made = {
      ...(await report(text, { id, onText, signal: AbortSignal.any([signal, stopper.signal]) })),
      turn: nextNumber(),
      id,
      atMs: Date.now(),
    };
    // Only a question whose time was over lets another message by; it was closed with this one.
    const before = open && (await reportOf(open.turn));
    if (open && before) await keep(droppedReport(before, answered(open, 'expired')));
    return keep(made);
  };
  const goOn = async (open: Parked, answer: Answer, onText: (delta: string) => void): Promise<KeptReport> => {
    const { expiresAtMs } = open.request;
    const isLate = expiresAtMs !== undefined && Date.now() > expiresAtMs;
    const made = await report(answer, { onText, signal: stopper.signal });
    const { output } = made.tools.find(({ id }) => id === open.callId) ?? {};
    const what = { ...answered(open, isLate ? 'expired' : inWords(answer)), output };
    const before = await reportOf(open.turn);
    return keep(joinReports(before, { ...made, turn: nextNumber(), id: open.turn, atMs: what.atMs }, what));
  };

  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(() => {
      stopper = new AbortController();
      return work();
    });
    last = done.catch(() => undefined);
    return done;
  };
  /** What became of a question elsewhere is in the store, also as a report where another inspector wrote one. */
  const upToDate = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (isAgentosError(error) && OUT_OF_DATE.has(error.code)) kept = [...(await reports.all())];
      throw error;
    }
  };

  return {
    id: row.id,
    gmi,
    dir: row.dir,
    reports: async () => kept,
    say: (...said) => inTurn(() => say(...said)),
    async question() {
      const open = await parked();
      if (!open) return undefined;
      const sinceMs = (await reportOf(open.turn))?.atMs;
      return openQuestion(open, { asker: gmi.persona.name, sinceMs, isAnswered: answering === open.request.id, tools });
    },
    answer: (said, onText) =>
      inTurn(() =>
        upToDate(async () => {
          const open = await waiting(said.question);
          const answer = answerTo(open.request, { ok: said.ok, value: said.value });
          const { tool } = waitingCall(open);
          if (answer.ok && !tools.has(tool))
            throw new AnswerInvalidError(
              `This process has no tool ${tool}. Answer in the program that has it; here it can be declined or dropped.`,
            );
          answering = open.request.id;
          try {
            return await goOn(open, answer, onText);
          } finally {
            answering = undefined;
          }
        }),
      ),
    stop: () => stopper.abort(new TurnStoppedError('The turn was stopped.')),
    drop: (question) =>
      inTurn(() =>
        upToDate(async () => {
          const open = await waiting(question);
          if (!(await (await gmi.session()).cancel())) throw new NothingParkedError();
          const before = await reportOf(open.turn);
          if (before) await keep(droppedReport(before, answered(open, 'dropped')));
        }),
      ),
  };
}
