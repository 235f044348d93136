import type { StepRecord, StepTable } from './step-journal.js';
import type { Delivery } from './turn-engine.js';

/** The steps of the turns of one process, kept until their turn has an outcome. */
export interface LocalSteps {
  /** @param holds - Whether the delivery's lease holds. */
  tableOf(delivery: Delivery, holds: () => boolean, stale: () => Error): StepTable;
  forget(turn: Pick<Delivery, 'queue' | 'lane' | 'id'>): void;
}

export function createLocalSteps(): LocalSteps {
  const steps = new Map<string, Map<string, StepRecord>>();
  const nameOf = ({ queue, lane, id }: Pick<Delivery, 'queue' | 'lane' | 'id'>): string => JSON.stringify([queue, lane, id]);
  return {
    forget: (turn) => void steps.delete(nameOf(turn)),
    tableOf(delivery, holds, stale) {
      const name = nameOf(delivery);
      const records = steps.get(name) ?? new Map<string, StepRecord>();
      return {
        async begin({ id }, request) {
          if (!holds()) throw stale();
          steps.set(name, records);
          const before = records.get(id);
          if (!before) records.set(id, { token: delivery.token, state: 'begun', request, result: undefined });
          return before;
        },
        async change({ id }, from, to) {
          const record = records.get(id);
          if (!holds() || record?.token !== from) return false;
          records.set(id, { ...record, ...to });
          return true;
        },
        async remove({ id }) {
          if (holds()) records.delete(id);
        },
      };
    },
  };
}
