export { coerceToSchema, type JsonSchema } from './coerce-to-schema.js';
export { extractJson } from './extract-json.js';
export { JsonExtractError } from './json-extract-error.js';
export type { StandardSchema } from './read-schema.js';
export { stripReasoning } from './strip-reasoning.js';
