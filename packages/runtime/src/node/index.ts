export { bashTool } from './bash-tool.js';
export { builtinTools } from './builtin-tools.js';
export { editTool, readTool, writeTool } from './file-tools.js';
export { globTool, grepTool } from './search-tools.js';
