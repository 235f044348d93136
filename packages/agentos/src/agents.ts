import { compactor, estimateTokens } from '@x/compactor';
import { BOOTSTRAP_ORDER, composeSoul, HEARTBEAT_OK, memoryTool } from '@x/persona-fs';
import { AgentRuntime } from '@x/runtime';
import { directoryAgent } from './directory-agent.js';
import { seedAgent } from './seed-agent.js';
import { startAgent } from './start-agent.js';

/** The second seed's surface, on the same machine as everything else here: a persona directory is a GMI. */
export const agents = {
  agent: seedAgent,
  fromDir: directoryAgent,
  startAgent,
  composeSoul,
  memoryTool,
  compactor,
  estimateTokens,
  BOOTSTRAP_ORDER,
  HEARTBEAT_OK,
  AgentRuntime,
} as const;
