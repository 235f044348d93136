// Imports a package from this folder, so that proofs outside of it can measure it.
export const load = (specifier) => import(specifier);
