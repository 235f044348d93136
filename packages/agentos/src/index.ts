export { AgentOS, type AgentOSOptions, type ProcessRequest } from './agentos.js';
export { GMI } from './gmi.js';
export { agent } from './agent.js';
export { agency } from './agency.js';
export { AgentOSResponseChunkType } from './chunks.js';
