import { type IAgentStore, isAgentosError, type Stored } from '@x/agentos';
import type { TurnReport } from '../turn-report.js';
import type { Answered } from './answered-report.js';
import type { SessionRow } from './session-index.js';

/** A report with what the inspector needs to look the turn up again. */
export type KeptReport = TurnReport & {
  readonly id: string;
  readonly atMs: number;
  /** Questions of the turn that are open no more, in their order. */
  readonly answers?: readonly Answered[] | undefined;
};

/** The reports of one session, in a lane beside the talk. */
export interface KeptReports {
  /** One per turn, in the order in which they began. */
  all(): Promise<readonly KeptReport[]>;
  /** A turn that waited is added again each time its question is open no more; the last one counts. */
  add(report: KeptReport): Promise<void>;
}

const CONVERSATION = 'reports';
/** Another inspector on the same file may have written in between; each try reads anew. */
const TRIES = 8;

export async function openReports(store: IAgentStore, { id, persona }: Pick<SessionRow, 'id' | 'persona'>): Promise<KeptReports> {
  const lane = await store.open({ persona: 'inspector', user: persona, session: id });
  const write = async (message: Stored): Promise<void> => {
    const { revision, events } = await lane.load(CONVERSATION);
    await lane.commit({
      revision,
      turn: message.id,
      operations: [],
      events,
      batches: { add: [], done: [] },
      conversation: { id: CONVERSATION, append: [message], blocks: [], stableHash: '' },
    });
  };
  return {
    async all() {
      const { history } = await lane.load(CONVERSATION);
      const byTurn = new Map<string, KeptReport>();
      for (const { content } of history) {
        const report = JSON.parse(String(content)) as KeptReport;
        byTurn.set(report.id, report);
      }
      return [...byTurn.values()];
    },
    async add(report) {
      const id = report.answers ? `${report.id}/${report.answers.length}` : report.id;
      const message: Stored = { id, role: 'assistant', origin: 'internal', content: JSON.stringify(report) };
      for (let left = TRIES; ; left -= 1) {
        try {
          return await write(message);
        } catch (error) {
          if (left <= 1 || !isAgentosError(error) || error.code !== 'revision_conflict') throw error;
        }
      }
    },
  };
}
