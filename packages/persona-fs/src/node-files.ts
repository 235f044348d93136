/**
 * Node's functions for files, by another door than `import`: that looks at everything that `node:fs` offers, and so
 * loads all of Node's streams for two classes that nobody asks for, which took a tenth of this package's import.
 */
export const {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} = process.getBuiltinModule('node:fs');
