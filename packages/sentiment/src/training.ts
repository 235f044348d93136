// What scripts/ and proof/ run on; not exported to users.

export { MODEL } from './data/model.generated.js';
export { judge } from './detect-affect.js';
export { DENSE, HEADS, hashedFeatures } from './features.js';
export { MOST, modelLogits, unpackModel, ZERO } from './linear-model.js';
export { readText } from './read-text.js';
export { applyRules, RULES } from './rules.js';
export { SEED_CONFUSION_PHRASES } from './seed-events.js';
export { afinnSentiment } from './tools/afinn-sentiment.js';
