export { type AnthropicOptions, anthropic } from './anthropic.js';
