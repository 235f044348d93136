#!/usr/bin/env node
import { main } from './main.js';

// Whoever reads, such as `head`, may have seen enough.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });

process.exitCode = await main({
  argv: process.argv.slice(2),
  environment: process.env,
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  nowMs: Date.now(),
});
