/** Makes a constant when it is first asked for, so that loading stays quick; every call returns the same one. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
