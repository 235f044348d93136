/**
 * Prompt assembly of this package and of the published engine it takes the place of, in one process and on the same inputs. Each sample has
 * a new user text, another mood and one appended message.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PromptEngine } from '@x/prompt-engine';

const PEER = fileURLToPath(new URL('../../../bench/peers/node_modules/@framers/agentos/dist/core/llm/PromptEngine.js', import.meta.url));

/**
 * Three workloads. `samples` counts measured prompts of ours, `peerSamples` of the other engine; after `round` appended messages a fresh
 * conversation takes the place of the old one, so that its length stays near the nominal one.
 */
export const WORKLOADS = [
  { name: '20 elements, 50 messages', elements: 20, messages: 50, round: 20, samples: 4000, peerSamples: 2000 },
  { name: '200 elements, 50 messages', elements: 200, messages: 50, round: 20, samples: 4000, peerSamples: 2000 },
  { name: '20 elements, 5,000 messages', elements: 20, messages: 5000, round: 200, samples: 2000, peerSamples: 60 },
];

const MOODS = ['neutral', 'focused', 'empathetic', 'curious', 'assertive', 'analytical', 'frustrated', 'creative'];
const SKILLS = ['novice', 'beginner', 'intermediate', 'advanced', 'expert'];
const TYPES = [
  'system_instruction_addon',
  'behavioral_guidance',
  'task_specific_instruction',
  'error_handling_guidance',
  'ethical_guideline',
  'output_format_spec',
  'reasoning_protocol',
];
const SENTENCE =
  'The quick answer is that recursion calls itself on a smaller part until a base case ends it, and then the results are put together. ';

export const model = {
  modelId: 'scripted',
  providerId: 'openai',
  maxContextTokens: 10_000_000,
  capabilities: [],
  promptFormatType: 'openai_chat',
  toolSupport: { supported: true, format: 'openai_functions' },
};

function createPersona(count) {
  const contextualPromptElements = Array.from({ length: count }, (_, index) => ({
    id: `element-${index}`,
    type: TYPES[index % TYPES.length],
    content: `Guidance ${index}: say one thing at a time and check that it was understood before you go on to the next.`,
    priority: index % 7,
    criteria:
      index % 3 === 0
        ? { mood: MOODS[index % MOODS.length] }
        : index % 3 === 1
          ? { userSkillLevel: SKILLS[index % SKILLS.length], taskHint: 'recursion' }
          : { taskComplexity: index % 2 ? 'moderate' : 'complex' },
  }));
  return { id: 'tutor', name: 'Tutor', version: '1.0.0', baseSystemPrompt: 'You are a patient tutor.', contextualPromptElements };
}

/**
 * Plays conversations of the given length turn by turn; `build` makes one prompt.
 *
 * @returns Microseconds of prompts, of first prompts of a conversation, and of a copy of the list made after each prompt: what a prompt
 * cannot do without, measured in the same place.
 */
async function play({ messages, persona, samples, round }, build) {
  const micros = [];
  const firstMicros = [];
  const copyMicros = [];
  let turn = 0;
  while (micros.length < samples) {
    const history = Array.from({ length: messages }, (_, index) => createMessage(index));
    for (let step = 0; step <= round && micros.length < samples; step += 1) {
      turn += 1;
      if (step > 0) history.push(createMessage(history.length));
      const components = {
        systemPrompts: [{ content: 'You are a patient tutor. '.repeat(20), priority: 1 }],
        conversationHistory: history,
        userInput: `Question ${turn}: how does a function call itself, and when does it stop?`,
      };
      const context = {
        activePersona: persona,
        currentMood: MOODS[turn % MOODS.length],
        userSkillLevel: SKILLS[turn % SKILLS.length],
        taskHint: 'recursion in programming',
        taskComplexity: 'moderate',
      };
      const start = process.hrtime.bigint();
      const result = await build(components, context);
      const spent = Number(process.hrtime.bigint() - start) / 1000;
      if (result.prompt.length < 2) throw new Error('the benchmark built nothing');
      const copyStart = process.hrtime.bigint();
      const copy = [history[0]].concat(history);
      copyMicros.push(Number(process.hrtime.bigint() - copyStart) / 1000);
      if (copy.length !== history.length + 1) throw new Error('the benchmark copied nothing');
      (step === 0 ? firstMicros : micros).push(spent);
    }
  }
  return { micros, firstMicros, copyMicros };
}

function createMessage(index) {
  return { role: index % 2 === 0 ? 'user' : 'assistant', content: `${index}: ${SENTENCE}${SENTENCE}` };
}

export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** The other engine, or `undefined` when bench/peers is not installed. */
async function loadPeer() {
  if (!existsSync(PEER)) return undefined;
  const { PromptEngine: Peer } = await import(pathToFileURL(PEER).href);
  const peer = new Peer();
  const say = console.log;
  console.log = () => {}; // it greets
  await peer.initialize({
    defaultTemplateName: 'openai_chat',
    availableTemplates: {},
    tokenCounting: { strategy: 'estimated' },
    historyManagement: {
      defaultMaxMessages: 10_000,
      maxTokensForHistory: 10_000_000,
      summarizationTriggerRatio: 0.8,
      preserveImportantMessages: true,
    },
    contextManagement: { maxRAGContextTokens: 1500, summarizationQualityTier: 'balanced', preserveSourceAttributionInSummary: true },
    contextualElementSelection: { maxElementsPerType: {}, defaultMaxElementsPerType: 3 },
    performance: { enableCaching: false, cacheTimeoutSeconds: 120 },
  });
  console.log = say;
  return peer;
}

/** @returns One row for each workload; `peer` is absent when bench/peers is not installed. */
export async function measureSpeed({ short = false, log = () => {} } = {}) {
  const peer = await loadPeer();
  const rows = [];
  for (const workload of WORKLOADS) {
    const scale = short ? 0.1 : 1;
    const persona = createPersona(workload.elements);
    const engine = new PromptEngine();
    const ours = (components, context) => engine.constructPrompt(components, model, context);
    const theirs = (components, context) => peer.constructPrompt(components, model, context);
    log(workload.name);
    await play({ ...workload, persona, samples: Math.ceil(workload.samples * scale * 0.5) }, ours); // warm
    globalThis.gc?.();
    const own = await play({ ...workload, persona, samples: Math.ceil(workload.samples * scale) }, ours);
    let other;
    if (peer !== undefined) {
      await play({ ...workload, persona, samples: Math.ceil(workload.peerSamples * scale * 0.5) }, theirs);
      globalThis.gc?.();
      other = await play({ ...workload, persona, samples: Math.ceil(workload.peerSamples * scale) }, theirs);
    }
    rows.push({ ...workload, own, peer: other });
  }
  return rows;
}
