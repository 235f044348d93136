import { hostname } from 'node:os';
import { readFileSync, readlinkSync } from './node-files.js';
import { sha256 } from './sha256.js';

/** What tells a process from every other, also from a later one with the same number. */
export interface ProcessMark {
  /** Same boot of the same machine and the same table of processes; elsewhere numbers mean other processes. */
  readonly machine: string;
  readonly pid: number;
  /** Clock ticks from boot to the start of the process; 0 where the system does not say. */
  readonly startedAt: number;
}

export function thisProcess(): ProcessMark {
  const parts = [hostname(), read('/proc/sys/kernel/random/boot_id') ?? '', link('/proc/self/ns/pid') ?? ''];
  const machine = sha256(parts.join('\n')).slice(0, 12);
  return { machine, pid: process.pid, startedAt: statOf(process.pid)?.startedAt ?? 0 };
}

/**
 * Whether a process of this machine still runs. A killed one that its parent has not collected counts as dead.
 *
 * @param thorough - Also compare start times, so that a number used again is not taken for the old process.
 */
export function isAlive({ pid, startedAt }: ProcessMark, thorough: boolean): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  if (!thorough || startedAt === 0) return true;
  const stat = statOf(pid);
  return stat === undefined || (stat.startedAt === startedAt && stat.state !== 'Z' && stat.state !== 'X');
}

function statOf(pid: number): { readonly state: string; readonly startedAt: number } | undefined {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the program's name in brackets and may hold anything; field 3 is the state, field 22 the start.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', startedAt: Number(fields[19] ?? 0) };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function link(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
