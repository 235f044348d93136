// One contestant of the overhead proof, in a process of its own: runs a turn when told to, checks it, tells how long it took.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [name, baseUrl, peers] = process.argv.slice(2);
const SYSTEM = 'You are a patient tutor. Use the tools for every calculation.';
const QUESTION = 'What are the sum and the product of 2 and 3?';
const NUMBERS = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
  additionalProperties: false,
};
const ran = { add: 0, multiply: 0 };
const run = {
  add: ({ a, b }) => {
    ran.add += 1;
    return String(a + b);
  },
  multiply: ({ a, b }) => {
    ran.multiply += 1;
    return String(a * b);
  },
};
/** Imports a rival from the folder that holds the rivals. */
const rival = async (specifier) => (await import(pathToFileURL(join(peers, 'load.mjs')).href)).load(specifier);
const ourTools = () =>
  Object.entries(run).map(([tool, execute]) => ({ name: tool, description: `${tool} two numbers`, inputSchema: NUMBERS, execute }));

const contestants = {
  async bare() {
    const { OpenAI } = await import('openai');
    const client = new OpenAI({ baseURL: baseUrl, apiKey: 'none', maxRetries: 0 });
    const tools = Object.keys(run).map((tool) => ({
      type: 'function',
      function: { name: tool, description: `${tool} two numbers`, parameters: NUMBERS },
    }));
    return async () => {
      const messages = [
        { role: 'system', content: SYSTEM },
        { role: 'user', content: QUESTION },
      ];
      for (let step = 1; ; step += 1) {
        const stream = await client.chat.completions.create({
          model: 'testkit',
          messages,
          tools,
          stream: true,
          stream_options: { include_usage: true },
        });
        let text = '';
        const calls = [];
        for await (const { choices } of stream) {
          const delta = choices[0]?.delta;
          if (delta?.content) text += delta.content;
          for (const part of delta?.tool_calls ?? []) {
            calls[part.index] ??= { id: part.id, type: 'function', function: { name: '', arguments: '' } };
            const call = calls[part.index];
            call.function.name += part.function?.name ?? '';
            call.function.arguments += part.function?.arguments ?? '';
          }
        }
        if (calls.length === 0) return { text, steps: step };
        messages.push({ role: 'assistant', content: text || null, tool_calls: calls });
        const results = await Promise.all(calls.map((call) => run[call.function.name](JSON.parse(call.function.arguments))));
        for (const [index, content] of results.entries()) messages.push({ role: 'tool', tool_call_id: calls[index].id, content });
      }
    };
  },
  async runtime() {
    const { openai } = await import('@x/openai');
    const { runTurn } = await import('@x/runtime');
    const model = openai({ model: 'testkit', baseUrl });
    const tools = ourTools();
    const messages = [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: QUESTION },
    ];
    return async () => {
      for await (const event of runTurn(messages, { model, tools })) {
        if (event.type === 'turn-end') return event.result;
      }
    };
  },
  async adaptive() {
    const { AgentOS, openai } = await import('@x/agentos');
    const persona = {
      id: 'tutor',
      name: 'Tutor',
      version: '1.0.0',
      baseSystemPrompt: SYSTEM,
      personalityTraits: { openness: 0.7, conscientiousness: 0.8 },
      sentimentTracking: { enabled: true, presets: ['all'] },
      contextualPromptElements: [
        { id: 'gentle', type: 'behavioral_guidance', content: 'Be gentle and go one step at a time.', criteria: { mood: 'empathetic' } },
        { id: 'novice', type: 'interaction_style_modifier', content: 'Explain every word.', criteria: { userSkillLevel: 'novice' } },
      ],
    };
    const agentos = await AgentOS.create({
      personas: [persona],
      model: openai({ model: 'testkit', baseUrl }),
      tools: ourTools(),
      maxAwake: 50,
    });
    let turns = 0;
    let gmi;
    // Each turn is the first of a session, so that its requests are as long as those of the others. The others open none:
    // opening it is timed apart.
    const turn = async () => gmi.processTurn(QUESTION);
    turn.open = async () => {
      gmi = agentos.gmi({ userId: `u${turns++}`, sessionId: 's' });
      await gmi.state();
    };
    return turn;
  },
  async 'ai-sdk'() {
    const { createOpenAICompatible } = await rival('@ai-sdk/openai-compatible');
    const { streamText, tool, jsonSchema, stepCountIs } = await rival('ai');
    const model = createOpenAICompatible({ name: 'testkit', baseURL: baseUrl })('testkit');
    const tools = Object.fromEntries(
      Object.entries(run).map(([one, execute]) => [
        one,
        tool({ description: `${one} two numbers`, inputSchema: jsonSchema(NUMBERS), execute }),
      ]),
    );
    return async () => {
      const result = streamText({ model, system: SYSTEM, prompt: QUESTION, tools, stopWhen: stepCountIs(5) });
      let text = '';
      for await (const delta of result.textStream) text += delta;
      return { text, steps: (await result.steps).length };
    };
  },
  async langchain() {
    const { ChatOpenAI } = await rival('@langchain/openai');
    const { createReactAgent } = await rival('@langchain/langgraph/prebuilt');
    const { tool } = await rival('@langchain/core/tools');
    const { z } = await rival('zod');
    const llm = new ChatOpenAI({ model: 'testkit', apiKey: 'none', configuration: { baseURL: baseUrl }, streaming: true, maxRetries: 0 });
    // It would fetch a tokenizer's table from the network to count what the server has counted already.
    const { BaseLanguageModel } = await rival('@langchain/core/language_models/base');
    BaseLanguageModel.prototype.getNumTokens = async (text) => Math.ceil(String(text).length / 4);
    const schema = z.object({ a: z.number(), b: z.number() });
    const tools = Object.entries(run).map(([one, execute]) => tool(execute, { name: one, description: `${one} two numbers`, schema }));
    const agent = createReactAgent({ llm, tools, prompt: SYSTEM });
    return async () => {
      let last;
      for await (const state of await agent.stream({ messages: [{ role: 'user', content: QUESTION }] }, { streamMode: 'values' }))
        last = state;
      const said = last.messages.filter((message) => message.getType() === 'ai');
      return { text: String(said.at(-1).content), steps: said.length };
    };
  },
  async 'openai-agents'() {
    const { Agent, OpenAIChatCompletionsModel, Runner, setTracingDisabled, tool } = await rival('@openai/agents');
    const { OpenAI } = await rival('openai');
    setTracingDisabled(true);
    const client = new OpenAI({ baseURL: baseUrl, apiKey: 'none', maxRetries: 0 });
    const tools = Object.entries(run).map(([one, execute]) =>
      tool({ name: one, description: `${one} two numbers`, parameters: NUMBERS, strict: true, execute: async (args) => execute(args) }),
    );
    const agent = new Agent({ name: 'tutor', instructions: SYSTEM, model: new OpenAIChatCompletionsModel(client, 'testkit'), tools });
    const runner = new Runner({ tracingDisabled: true });
    return async () => {
      const stream = await runner.run(agent, QUESTION, { stream: true });
      for await (const _ of stream) {
        // the events are read to the end, as an application would
      }
      await stream.completed;
      return { text: String(stream.finalOutput), steps: stream.rawResponses.length };
    };
  },
};

const turn = await contestants[name]();
process.on('message', async (message) => {
  if (message === 'stop') process.exit();
  const before = { ...ran };
  let openMs;
  if (turn.open) {
    const openStart = performance.now();
    await turn.open();
    openMs = performance.now() - openStart;
  }
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  let problem;
  try {
    const { text, steps } = await turn();
    const count = Array.isArray(steps) ? steps.length : steps;
    if (text !== 'The sum is 5 and the product is 6.') problem = `text was ${JSON.stringify(text)}`;
    if (count !== 2) problem = `${count} model calls`;
    if (ran.add - before.add !== 1 || ran.multiply - before.multiply !== 1) problem = 'a tool did not run once';
  } catch (error) {
    problem = String(error?.stack ?? error);
  }
  const ms = performance.now() - start;
  const cpu = process.cpuUsage(cpuBefore);
  process.send({ ms, openMs, cpuMs: (cpu.user + cpu.system) / 1000, problem, rssMb: process.resourceUsage().maxRSS / 1024 });
});
process.send({ ready: true });
