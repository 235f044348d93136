import { ClientFailedError, DependencyMissingError } from './errors.js';

/**
 * Loads a client library at its first use.
 *
 * @throws {@link DependencyMissingError} it is not installed. {@link ClientFailedError} it is, and cannot be loaded.
 */
export async function loadLibrary<T>(dependency: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const { code } = (typeof cause === 'object' && cause !== null ? cause : {}) as { code?: unknown };
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
    if (isMissing && String((cause as Error).message).includes(dependency)) throw new DependencyMissingError({ dependency, cause });
    throw new ClientFailedError({ where: dependency, cause });
  }
}
