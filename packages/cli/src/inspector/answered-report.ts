import type { KeptReport } from './kept-reports.js';

/** A question of a turn, and what became of it. */
export interface Answered {
  readonly id: string;
  readonly tool: string;
  readonly prompt: string;
  /** `yes`, `declined`, `dropped`, `expired`, or the text of the answer. */
  readonly said: string;
  /** What the call then gave. */
  readonly output?: string | undefined;
  readonly atMs: number;
}

/** One report of a turn that waited: what came before its question, and what followed the answer. */
export function joinReports(before: KeptReport | undefined, after: KeptReport, answered: Answered): KeptReport {
  const answers = [...(before?.answers ?? []), answered];
  if (!before) return { ...after, answer: undefined, answers };
  return {
    ...after,
    answer: undefined,
    turn: before.turn,
    source: before.source,
    score: after.score ?? before.score,
    evidence: after.evidence.length > 0 ? after.evidence : before.evidence,
    events: [...before.events, ...after.events],
    fired: [...before.fired, ...after.fired],
    stateBefore: before.stateBefore,
    elements: {
      inPrompt: after.elements.inPrompt,
      entered: [...new Set([...before.elements.entered, ...after.elements.entered])],
      left: [...new Set([...before.elements.left, ...after.elements.left])],
    },
    prefix: [...before.prefix, ...after.prefix].map((figures, step) => ({ ...figures, step })),
    inputTokens: before.inputTokens + after.inputTokens,
    outputTokens: before.outputTokens + after.outputTokens,
    costUsd: before.costUsd + after.costUsd,
    tools: [...(before.tools ?? []), ...after.tools],
    answers,
  };
}

/** The report of a turn whose question was dropped: it ended there. */
export function droppedReport({ pending: _, askedBy: __, ...before }: KeptReport, answered: Answered): KeptReport {
  return { ...before, status: 'incomplete', reply: '', atMs: answered.atMs, answers: [...(before.answers ?? []), answered] };
}
