export { createRandom } from './create-random.js';
export { createScriptedModel, ScriptExhaustedError, type ScriptedModel, type ScriptedModelOptions } from './create-scripted-model.js';
export { createVirtualClock, type VirtualClock } from './create-virtual-clock.js';
export type { Script, ScriptCall, ScriptedCall, ScriptedReply, ScriptItem } from './script.js';
