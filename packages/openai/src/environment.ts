/**
 * Reads one documented name from the environment, at the moment of the call; `undefined` where there is none, as in a
 * browser. Blank counts as absent.
 */
export function readEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } };
  const value = process?.env?.[name]?.trim();
  return value === '' ? undefined : value;
}
