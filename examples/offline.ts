// Runs an example without a key, the offline model in place of the endpoint:
//   npx tsx examples/offline.ts adaptive-prompt/shortest.ts
import { runExample } from './run-example.js';

const [file] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('Name an example, such as adaptive-prompt/shortest.ts\n');
  process.exitCode = 2;
} else {
  const { code, stdout, stderr } = await runExample(file);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = code ?? 1;
}
