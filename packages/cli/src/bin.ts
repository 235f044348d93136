#!/usr/bin/env node
import { endWhenNobodyReads } from './closed-pipe.js';
import { main } from './main.js';

endWhenNobodyReads();

process.exitCode = await main({
  argv: process.argv.slice(2),
  environment: process.env,
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  nowMs: Date.now(),
});
