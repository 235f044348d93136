export { createRandom } from './create-random.js';
export { createScriptedModel, ScriptExhaustedError, type ScriptedModel, type ScriptedModelOptions } from './create-scripted-model.js';
export { createVirtualClock, type VirtualClock } from './create-virtual-clock.js';
export { createOfflineModel, OFFLINE_LABEL, type OfflineModelOptions } from './offline/create-offline-model.js';
export type { Script, ScriptCall, ScriptedCall, ScriptedReply, ScriptItem } from './script.js';
export type { ServedCall, ServerScript } from './server/answerer.js';
export { createFaultScript, type Fault, type FaultScript, type FaultScriptOptions } from './server/fault.js';
export { type ModelServer, type ModelServerOptions, type ServedRequest, startModelServer } from './server/start-model-server.js';
