export { answerInLine } from './answer-in-line.js';
export { buildGmi } from './build-gmi.js';
export { type ChatOptions, chat } from './chat.js';
export { type Endpoint, openEndpoint } from './endpoint.js';
export { type InspectOptions, inspect } from './inspect.js';
export { type Inspector, type InspectorOptions, openInspector } from './inspector/open-inspector.js';
export { personas, personaTools, support, tutor } from './personas.js';
export { formatReport } from './print-report.js';
export { createReporter, type Reporter, type SayOptions, type TurnReport } from './turn-report.js';
