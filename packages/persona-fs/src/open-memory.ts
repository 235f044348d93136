import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { MEMORY_FILES, type MemoryTarget } from './bootstrap.js';
import { decodeBytes, encodeBytes } from './bytes-codec.js';
import { checkInside } from './check-inside.js';
import { type EditPlan, type NotesEdit, planEdit } from './edit-notes.js';
import { writeAtomic } from './write-atomic.js';

export function openMemory(dir: string): { edit(target: MemoryTarget, edit: NotesEdit): Promise<EditPlan> } {
  let last: Promise<unknown> = Promise.resolve();
  const run = async (target: MemoryTarget, edit: NotesEdit): Promise<EditPlan> => {
    mkdirSync(dir, { recursive: true });
    const root = realpathSync(dir);
    const inside = checkInside(root, MEMORY_FILES[target]);
    if (inside.state === 'unsafe') throw new Error(inside.message);
    const old = inside.state === 'file' ? decodeBytes(readFileSync(inside.path)) : '';
    const plan = planEdit(old, edit);
    if (plan.outcome === 'changed')
      await writeAtomic(inside.path, encodeBytes(plan.text), root, inside.state === 'file' ? inside.stats : undefined);
    return plan;
  };
  return {
    edit(target, edit) {
      const next = last.then(() => run(target, edit));
      last = next.catch(() => undefined);
      return next;
    },
  };
}
