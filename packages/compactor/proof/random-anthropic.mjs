/** See lib/random-histories.mjs. */
import { proveDialect } from './lib/random-histories.mjs';

export default (options) => proveDialect('anthropic', options);
