export type { Fetch, ModelOptions } from './client-options.js';
export {
  ApiKeyMissingError,
  AuthFailedError,
  ClientFailedError,
  ContextTooLongError,
  DependencyMissingError,
  ModelNotFoundError,
  ModelReplyMalformedError,
  ModelRequestError,
  ModelRequestInvalidError,
  ModelTimeoutError,
  ModelUnavailableError,
  QuotaExhaustedError,
  RateLimitedError,
  type RequestFailure,
  ToolSchemaInvalidError,
} from './errors.js';
export { openai } from './openai.js';
export { findProviderRow, PROVIDER_ROWS, type ProviderRow, type Wire } from './provider-rows.js';
export { type ObjectSchema, toolSchemaOf } from './tool-schema.js';
