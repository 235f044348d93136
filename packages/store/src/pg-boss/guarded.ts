import { isAgentosError } from '@x/core';
import { StoreFailedError } from '../errors.js';

/** What fails below becomes a typed error. */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isAgentosError(error)) throw error;
    throw new StoreFailedError({ retryable: true, cause: error });
  }
}
