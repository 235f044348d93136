export { coerceToSchema, type JsonSchema } from './coerce-to-schema.js';
export { extractJson } from './extract-json.js';
export { JsonExtractError } from './json-extract-error.js';
export { PersonaInvalidError, parsePersona } from './parse-persona.js';
export type { PersonaIssue, Severity } from './persona-issue.js';
export type { StandardSchema } from './read-schema.js';
export { stripReasoning } from './strip-reasoning.js';
export { type PersonaValidation, type ValidatePersonaOptions, validatePersona, validatePersonas } from './validate-persona.js';
