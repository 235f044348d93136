import { type GMI, type PlacedLine, placedLines, promptLines, rebuildTurn, why } from '@x/agentos';

/** One line of a past prompt, as the page shows it. */
export interface PromptLine extends PlacedLine {
  /** From 1, as `why` counts. */
  readonly number: number;
  /** True when the previous turn's prompt did not have it. */
  readonly isNew: boolean;
}

export interface PromptView {
  readonly turn: string;
  readonly lines: readonly PromptLine[];
  /** Lines of the previous turn's prompt that are gone. */
  readonly gone: readonly string[];
  readonly replies: number;
}

/** The last request of a turn, line by line, beside the one of the turn before. */
export async function promptView(gmi: GMI, turn: string, previous: string | undefined): Promise<PromptView> {
  const lane = (await gmi.lane()).store;
  const { steps, parts } = await rebuildTurn(lane, turn);
  const lines = placedLines(steps.at(-1)?.body ?? '{"messages":[]}', parts);
  const before =
    previous === undefined
      ? []
      : promptLines((await rebuildTurn(lane, previous)).steps.at(-1)?.body ?? '{"messages":[]}').map(({ text }) => text);
  const known = countLines(before);
  const now = countLines(lines.map(({ text }) => text));
  const shown = lines.map((line, index): PromptLine => {
    const isNew = take(known, line.text) === false && previous !== undefined;
    return { ...line, number: index + 1, isNew };
  });
  return { turn, lines: shown, gone: before.filter((text) => take(now, text) === false && text.trim() !== ''), replies: steps.length };
}

/** What put a line there; see `why` of the umbrella. */
export async function lineCause(gmi: GMI, turn: string, line: number) {
  return why({ lane: (await gmi.lane()).store, persona: gmi.persona, turnId: turn, line });
}

function countLines(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

// Takes one line out of the counts; false when there is none left.
function take(counts: Map<string, number>, line: string): boolean {
  const count = counts.get(line) ?? 0;
  counts.set(line, count - 1);
  return count > 0;
}
