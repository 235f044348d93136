import { AgentosError } from '../errors.js';

/** One demand on an implementation. `run` resolves when it is met and throws {@link ContractError} when not. */
export interface ContractCase {
  /** A fact, such as `a commit on an old revision changes nothing`. */
  readonly title: string;
  run(): Promise<void>;
}

/** An implementation does not keep a promise of its seam. */
export class ContractError extends AgentosError {
  override readonly name = 'ContractError';
  readonly code = 'contract_broken';
  readonly retryable = false;
}

/** Compares as JSON, so that an absent field and `undefined` are the same. @throws {@link ContractError} they differ. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(sorted(actual)), JSON.stringify(sorted(expected))];
  if (a !== b) throw new ContractError(`${what}: expected ${b}, got ${a}`);
}

/** @throws {@link ContractError} `run` does not fail with this code. */
export async function failsWith(code: string, run: () => Promise<unknown>, what: string): Promise<void> {
  let seen = 'no error';
  try {
    await run();
  } catch (error) {
    seen = (error as { code?: string }).code ?? String(error);
  }
  same(seen, code, what);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
