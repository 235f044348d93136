import { type IAgentStore, isAgentosError, type Stored } from '@x/agentos';
import type { TurnReport } from '../turn-report.js';
import type { SessionRow } from './session-index.js';

/** A report with what the inspector needs to look the turn up again. */
export type KeptReport = TurnReport & { readonly id: string; readonly atMs: number };

/** The reports of one session, in a lane beside the talk. */
export interface KeptReports {
  all(): Promise<readonly KeptReport[]>;
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
      return history.map(({ content }) => JSON.parse(String(content)) as KeptReport);
    },
    async add(report) {
      const message: Stored = { id: report.id, role: 'assistant', origin: 'internal', content: JSON.stringify(report) };
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
