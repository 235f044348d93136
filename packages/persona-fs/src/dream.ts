import { type Clock, type ITool, systemClock } from '@x/core';
import { beatPrompt } from './beat-prompt.js';
import type { RunBeat } from './beat-types.js';
import { composeSoul } from './compose-soul.js';
import { inboxTool } from './inbox-tool.js';
import { formatDiff, type MemoryRecord } from './memory-journal.js';
import { type MemoryTool, memoryTool } from './memory-tool.js';
import { type Memory, openMemory } from './open-memory.js';
import { planTidy } from './plan-tidy.js';
import { createQuietTool } from './quiet-tool.js';

/** A `HEARTBEAT.md` that makes a nightly beat tidy the notes; copy it into the persona's directory. */
export const DREAM_CHECKLIST = `On a heartbeat, go through the MEMORY.md section:
- Where two entries say the same, keep one: remove the other with the memory tool, or replace one by wording that covers both.
- Remove an entry that is out of date or that a newer one contradicts.
- Change no other file and add nothing new.
- If nothing needs tidying, call heartbeat_ok.
`;

export interface DreamOptions {
  readonly dir: string;
  /** Lets a model tidy: gets the prompt, the fresh soul and the tools. Without it {@link planTidy} proposes. */
  readonly runBeat?: RunBeat | undefined;
  /** Opened notes; default: opened for the dream. */
  readonly notes?: Memory | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
}

export interface DreamResult {
  /** What the model said of it, or a line of ours; `''` when nothing was done. */
  readonly summary: string;
  /** What it changed, in order. */
  readonly changes: readonly MemoryRecord[];
  /** The changes as lines with `-` and `+`, for a human to look at. */
  readonly diff: string;
  /** Takes all of it back, the last change first. Throws `memory_conflict` where the lines have changed since. */
  undo(): Promise<void>;
}

/**
 * Consolidates a persona's notes: merges what is said twice and drops what is stale. Each proposal goes through the
 * memory tool onto the file as it is at that moment, so what anybody writes meanwhile stays. A dream that fails half way
 * keeps what it did, which `undo` takes back.
 *
 * @throws What `runBeat` throws or reports as failed, or `signal.reason`.
 */
export async function dream(options: DreamOptions): Promise<DreamResult> {
  const { dir, clock = systemClock, notes = openMemory(dir, { clock }), runBeat, signal = new AbortController().signal } = options;
  const known = new Set(notes.log({ last: Number.POSITIVE_INFINITY }).map(({ id }) => id));
  const tool = memoryTool(dir, { notes, as: 'dream' });
  const summary =
    runBeat === undefined ? await tidy(notes, tool, clock, signal) : await dreamWithModel({ dir, notes, tool, runBeat, clock, signal });
  const changes = notes.log({ last: Number.POSITIVE_INFINITY }).filter(({ id, by }) => !known.has(id) && by.kind === 'dream');
  return {
    summary: changes.length === 0 ? '' : summary,
    changes,
    diff: changes.map(formatDiff).join('\n\n'),
    async undo() {
      for (const change of changes.toReversed()) await notes.undo(change.id);
    },
  };
}

async function tidy(notes: Memory, tool: MemoryTool, clock: Clock, signal: AbortSignal): Promise<string> {
  let done = 0;
  for (const target of ['self', 'user'] as const) {
    for (const edit of planTidy(notes.entries({ target }), clock.now())) {
      signal.throwIfAborted();
      const { isError } = await tool.execute({ ...edit, target }, { signal });
      if (!isError) done += 1;
    }
  }
  return `Tidied ${done} ${done === 1 ? 'entry' : 'entries'}.`;
}

async function dreamWithModel({
  dir,
  notes,
  tool,
  runBeat,
  clock,
  signal,
}: {
  readonly dir: string;
  readonly notes: Memory;
  readonly tool: MemoryTool;
  readonly runBeat: RunBeat;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<string> {
  const quiet = createQuietTool();
  const atMs = clock.now();
  const outcome = await runBeat({
    id: `dream:${dir}@${atMs}`,
    prompt: `${beatPrompt({ atMs, dueAtMs: atMs, timeZone: 'UTC' })}\n\nThis beat is for tidying your notes.\n${DREAM_CHECKLIST}`,
    atMs,
    dueAtMs: atMs,
    tools: [quiet.tool as ITool, tool as ITool, inboxTool(dir, { notes, as: 'dream' }) as ITool],
    soul: composeSoul(dir),
    signal,
  });
  if (outcome.status === 'failed') throw outcome.error;
  return outcome.status === 'done' ? outcome.text.trim() : '';
}
