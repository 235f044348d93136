import { type IAgentStore, type LaneScope, toJson } from '@x/agentos';

/** One session that can be opened in the inspector. */
export interface SessionRow {
  readonly id: string;
  /** The id of a built-in persona, or {@link FOLDER}. */
  readonly persona: string;
  /** Real path of the persona's folder, where it is one. */
  readonly dir?: string | undefined;
  readonly title: string;
  readonly turns: number;
  readonly updatedMs: number;
  /** Its last turn waits for a human. */
  readonly isWaiting?: boolean | undefined;
}

/** What stands in a row for the id of a persona that is a folder. */
export const FOLDER = 'folder';

const INDEX: LaneScope = { persona: 'inspector', user: 'host', session: 'index' };
const KEY = 'session:';

/** Where a session's talk is kept. All talks of a folder share one lane, because the folder owns one memory. */
export function scopeOf({ id, persona, dir }: Pick<SessionRow, 'id' | 'persona' | 'dir'>): LaneScope {
  return dir === undefined ? { persona, user: 'inspector', session: id } : { directory: dir };
}

/** The list of an inspector's sessions, in the store that keeps them. */
export interface SessionIndex {
  /** The newest first. */
  rows(): Promise<readonly SessionRow[]>;
  save(row: SessionRow): Promise<void>;
}

/** A row is a key of its own, so that two sessions that end at once do not write over each other. */
export function createSessionIndex(store: IAgentStore): SessionIndex {
  const open = () => store.open(INDEX);
  return {
    async rows() {
      const { values } = (await (await open()).load('index')).state;
      return Object.entries(values)
        .filter(([key]) => key.startsWith(KEY))
        .map(([, row]) => row as unknown as SessionRow)
        .sort((a, b) => b.updatedMs - a.updatedMs);
    },
    async save(row) {
      await (await open()).memory.set(`${KEY}${row.id}`, toJson(row));
    },
  };
}
