/** Prints the path of a Node of the given major version, installing it once: `node scripts/node-binary.mjs 22`. */
import { nodeOfMajor } from './lib/node-versions.mjs';

const path = await nodeOfMajor(Number(process.argv[2]));
if (path === undefined) {
  console.error(`No Node ${process.argv[2]} for ${process.platform}-${process.arch}; put one on PATH and run with it.`);
  process.exitCode = 1;
} else console.log(path);
