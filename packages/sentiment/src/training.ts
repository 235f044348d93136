// What scripts/train.mjs and proof/ run on; not exported to users.
export { DENSE, HEADS, hashedFeatures } from './features.js';
export { MOST, modelLogits, unpackModel, ZERO } from './linear-model.js';
export { readText } from './read-text.js';
export { applyRules, RULES } from './rules.js';
