import {
  type Block,
  type ChatMessage,
  type ContextualPromptElement,
  type IPersonaDefinition,
  type Stored,
  SUMMARY_OPENING,
  textOf,
  validateMessages,
} from '@x/core';
import { expect, test } from 'vitest';
import { PromptEngine } from './prompt-engine.js';
import type { ModelTargetInfo, PromptComponents, PromptEngineResult } from './prompt-types.js';

const model: ModelTargetInfo = { modelId: 'm', maxContextTokens: 100_000, promptFormatType: 'openai_chat' };
const elements: readonly ContextualPromptElement[] = [
  { id: 'always', type: 'ethical_guideline', content: 'Be honest.' },
  { id: 'warm', type: 'interaction_style_modifier', content: 'Be warm.', criteria: { mood: 'empathetic' } },
];
const persona: IPersonaDefinition = {
  id: 'ava',
  name: 'Ava',
  version: '1.0.0',
  baseSystemPrompt: 'You are Ava.',
  hardLimits: ['Never lie.'],
  contextualPromptElements: elements,
};
const listOf = ({ prompt }: PromptEngineResult): readonly ChatMessage[] => prompt as readonly ChatMessage[];
const rolesOf = (result: PromptEngineResult) => listOf(result).map(({ role }) => role);
const textsOf = (result: PromptEngineResult) => listOf(result).map(textOf);
const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });
const words = (tokens: number): string => 'word '.repeat(tokens);
const perWord = { countTokens: (text: string) => text.split(/\s+/).filter(Boolean).length };

test('a prompt is system, history, and the user text behind the note of what follows from state', async () => {
  const result = await new PromptEngine().constructPrompt(
    { conversationHistory: [user('Hi'), assistant('Hello')], userInput: 'Why?' },
    model,
    { activePersona: persona, currentMood: 'empathetic' },
  );
  expect(rolesOf(result)).toEqual(['system', 'user', 'assistant', 'user']);
  const [system, , , question] = textsOf(result);
  expect(system).toMatch(/^You are Ava\.[\s\S]*Ethics:\nBe honest\.[\s\S]*Hard limits:\n- Never lie\./);
  expect(system).not.toContain('Be warm.');
  expect(question).toMatch(/^<<note-[0-9a-f]{16}>>\n[\s\S]*Be warm\.[\s\S]*<<\/note-[0-9a-f]{16}>>\nWhy\?$/);
  expect(result.metadata).toMatchObject({
    selectedContextualElementIds: ['always', 'warm'],
    templateUsed: 'openai_chat',
    historyMessagesIncluded: 2,
    totalSystemPromptsApplied: 1,
  });
  expect(result.issues).toEqual([]);
  expect(result.wasTruncatedOrSummarized).toBe(false);
});

test('given system prompts take the place of the base prompt; elements and hard limits stay', async () => {
  const systemPrompts = [{ content: 'late', priority: 9 }, { content: 'first' }, { content: 'second', priority: 0 }];
  const result = await new PromptEngine().constructPrompt({ systemPrompts, userInput: 'x' }, model, { activePersona: persona });
  expect(textsOf(result)[0]).toMatch(
    /^first\n\nsecond\n\nlate\n\nHard limits stand above .*\n\nEthics:\nBe honest\.\n\nHard limits:\n- Never lie\./,
  );
  expect(textsOf(result)[0]).not.toContain('You are Ava');
});

test('what was said of the state is not said again until it changes, and stays where it was', async () => {
  const engine = new PromptEngine();
  const history: ChatMessage[] = [];
  let blocks: readonly Block[] = [];
  const requests: string[] = [];
  for (const currentMood of ['neutral', 'neutral', 'empathetic', 'empathetic', 'neutral']) {
    const components: PromptComponents = { conversationHistory: history, userInput: 'Go on', blocks };
    const result = await engine.constructPrompt(components, model, { activePersona: persona, currentMood, turn: history.length / 2 + 1 });
    requests.push(JSON.stringify(result.prompt).slice(0, -1));
    blocks = result.blocks;
    history.push(result.input!, assistant('Yes'));
  }
  for (const [index, request] of requests.slice(1).entries()) expect(request.startsWith(requests[index]!)).toBe(true);
  expect(blocks.map(({ part, text }) => [part, text === ''])).toEqual([
    ['state', false],
    ['state', false],
    ['elements', false],
    ['state', false],
    ['elements', true],
  ]);
});

test('placement late says notes anew each turn, leading puts them into the system prompt', async () => {
  const context = { activePersona: persona, currentMood: 'empathetic' };
  const late = await new PromptEngine({ placement: 'late' }).constructPrompt({ userInput: 'x' }, model, context);
  expect(textsOf(late)[1]).toContain('Be warm.');
  const leading = await new PromptEngine({ placement: 'leading' }).constructPrompt({ userInput: 'x' }, model, context);
  expect(textsOf(leading)[0]).toContain('Be warm.');
  expect(textsOf(leading)[1]).toBe('x');
});

test('without an input the newest message of the user is answered, calls and results after it in place', async () => {
  const call = { id: 'c1', type: 'function' as const, function: { name: 'look', arguments: '{}' } };
  const history: ChatMessage[] = [
    user('first'),
    assistant('ok'),
    user('second'),
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', content: 'found', tool_call_id: 'c1' },
  ];
  const result = await new PromptEngine().constructPrompt({ conversationHistory: history }, model, {
    activePersona: persona,
    currentMood: 'curious',
  });
  expect(rolesOf(result)).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'tool']);
  expect(textsOf(result)[1]).toBe('first');
  expect(textsOf(result)[3]).toMatch(/^<<note-[\s\S]*second$/);
  expect(validateMessages(listOf(result))).toEqual([]);
  expect(result.input).toBeUndefined();
});

test('with neither input nor history there is the system prompt alone, notes in it', async () => {
  const result = await new PromptEngine().constructPrompt({}, model, { activePersona: persona, currentMood: 'empathetic' });
  expect(rolesOf(result)).toEqual(['system']);
  expect(textsOf(result)[0]).toContain('Be warm.');
});

test('an unknown format is refused before anything is built', async () => {
  const engine = new PromptEngine();
  for (const name of ['cohere_chat', 'toString']) {
    await expect(engine.constructPrompt({ userInput: 'x' }, model, {}, name)).rejects.toMatchObject({
      code: 'prompt_format_unknown',
      retryable: false,
    });
  }
});

test('the four formats: what each asks of the list', async () => {
  const components: PromptComponents = { conversationHistory: [user('a'), user('b')], userInput: 'c' };
  const build = (format: string, more: Partial<ModelTargetInfo> = {}) =>
    new PromptEngine().constructPrompt(components, { ...model, ...more }, { activePersona: persona, currentMood: 'curious' }, format);
  expect(rolesOf(await build('openai_chat'))).toEqual(['system', 'user', 'user', 'user']);
  expect(rolesOf(await build('openai_chat', { providerId: 'openai' }))).toEqual(['system', 'user', 'user', 'developer', 'user']);
  for (const format of ['anthropic_messages', 'google_gemini']) {
    expect(rolesOf(await build(format))).toEqual(['system', 'user', 'assistant', 'user']);
  }
  expect((await build('generic_completion')).prompt).toMatch(
    /^You are Ava\.[\s\S]*\n\nuser: a\n\nuser: b\n\nuser: <<note-[\s\S]*c\n\nassistant:$/,
  );
});

test('a host may add a format or give the capabilities of a model', async () => {
  const row = { lateNote: 'system', mergeUserRuns: false, structuredOutput: false } as const;
  const context = { activePersona: persona, currentMood: 'curious' };
  const added = await new PromptEngine({ formats: { mine: row } }).constructPrompt({ userInput: 'x' }, model, context, 'mine');
  expect(rolesOf(added)).toEqual(['system', 'system', 'user']);
  const given = await new PromptEngine().constructPrompt({ userInput: 'x' }, { ...model, capabilities: row }, context);
  expect(rolesOf(given)).toEqual(['system', 'system', 'user']);
});

test('images and audio pass through behind the text, each with its own token cost', async () => {
  const engine = new PromptEngine();
  const plain = await engine.constructPrompt({ userInput: 'What is this?' }, model);
  const components: PromptComponents = {
    userInput: 'What is this?',
    visionInputs: [
      { url: 'https://example.test/a.png', detail: 'low' },
      { base64: 'QUJD', mimeType: 'image/jpeg' },
    ],
    audioInput: { data: 'A'.repeat(64_000), format: 'wav' },
  };
  const result = await engine.constructPrompt(components, model);
  expect(listOf(result).at(-1)?.content).toEqual([
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url: 'https://example.test/a.png', detail: 'low' } },
    { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,QUJD' } },
    { type: 'input_audio', input_audio: { data: 'A'.repeat(64_000), format: 'wav' } },
  ]);
  expect(result.metadata.userTokens - plain.metadata.userTokens).toBe(85 + 765 + 11);
});

test('a question with an image keeps its words when retrieved text comes before it', async () => {
  const components: PromptComponents = {
    userInput: 'What is this?',
    visionInputs: [{ url: 'https://example.test/a.png' }],
    retrievedContext: 'A cat.',
  };
  const result = await new PromptEngine().constructPrompt(components, model);
  const content = listOf(result).at(-1)?.content as readonly { type: string; text?: string }[];
  expect(content.map(({ type }) => type)).toEqual(['text', 'text', 'image_url']);
  expect(content[0]?.text).toContain('> A cat.');
  expect(content[1]?.text).toBe('What is this?');
});

test('what a model does not take is left out and reported', async () => {
  const components: PromptComponents = {
    userInput: 'x',
    visionInputs: [{ url: 'u' }],
    audioInput: { data: 'A', format: 'mp3' },
    tools: [{ name: 't', description: 'd', inputSchema: {} }],
  };
  const target = { ...model, visionSupport: { supported: false }, audioSupport: { supported: false }, toolSupport: { supported: false } };
  const result = await new PromptEngine().constructPrompt(components, target);
  expect(listOf(result).at(-1)).toEqual({ role: 'user', content: 'x' });
  expect(result.issues.map(({ code, severity }) => [code, severity]).sort()).toEqual([
    ['audio_unsupported', 'error'],
    ['image_unsupported', 'error'],
    ['tools_unsupported', 'error'],
  ]);
  expect(result.formattedToolSchemas).toBeUndefined();
});

class SearchTool {
  get name() {
    return 'search';
  }
  get description() {
    return 'Searches.';
  }
  get inputSchema() {
    return { type: 'object', properties: { q: { type: 'string' } } };
  }
}

test('tools get the shape of the provider, class instances too, and an empty schema is a closed object', async () => {
  const tools = [new SearchTool(), { name: 'now', description: 'Time.', inputSchema: {} }];
  const shapes = async (format: string | undefined) =>
    (await new PromptEngine().constructPrompt({ userInput: 'x', tools }, { ...model, toolSupport: { supported: true, format } }))
      .formattedToolSchemas;
  const closed = { type: 'object', properties: {}, additionalProperties: false };
  expect(await shapes(undefined)).toEqual([
    { type: 'function', function: { name: 'now', description: 'Time.', parameters: closed } },
    { type: 'function', function: { name: 'search', description: 'Searches.', parameters: new SearchTool().inputSchema } },
  ]);
  expect((await shapes('anthropic_tools'))?.[0]).toEqual({ name: 'now', description: 'Time.', input_schema: closed });
  expect((await shapes('google_functions'))?.[0]).toEqual({ name: 'now', description: 'Time.', parameters: closed });
});

test('a schema of a library needs its converter; without it the tool is left out and reported', async () => {
  const inputSchema = { '~standard': { version: 1, vendor: 'x', validate: () => ({ value: 1 }) } };
  const components: PromptComponents = { userInput: 'x', tools: [{ name: 't', description: 'd', inputSchema }] };
  const without = await new PromptEngine().constructPrompt(components, model);
  expect(without.formattedToolSchemas).toEqual([]);
  expect(without.issues).toEqual([expect.objectContaining({ code: 'tool_schema_unsupported', severity: 'error', details: { tool: 't' } })]);
  const withIt = await new PromptEngine({ toJsonSchema: () => ({ type: 'object' }) }).constructPrompt(components, model);
  expect(withIt.formattedToolSchemas).toEqual([
    { type: 'function', function: { name: 't', description: 'd', parameters: { type: 'object' } } },
  ]);
});

test('the tool manifest really applies, by persona and model, and no reason goes to the provider', async () => {
  const tools = ['searchWeb', 'calc', 'getWeather'].map((name) => ({ name, description: name, inputSchema: { type: 'object' } }));
  const engine = new PromptEngine({
    toolManifest: {
      alpha: { enabledToolIds: ['searchWeb', 'calc', 'ghost'], disabledToolIds: ['calc'] },
      beta: { enabledToolIds: ['calc'], modelOverrides: { m: ['getWeather'] } },
    },
  });
  const names = async (id: string, modelId = 'm') => {
    const result = await engine.constructPrompt({ userInput: 'x', tools }, { ...model, modelId }, { activePersona: { ...persona, id } });
    const sent = (result.formattedToolSchemas ?? []) as readonly { function: { name: string } }[];
    return [sent.map((schema) => schema.function.name), Object.fromEntries(result.metadata.toolReasons)];
  };
  expect(await names('alpha')).toEqual([
    ['searchWeb'],
    { searchWeb: 'included:enabled_tool_ids', calc: 'excluded:disabled_tool_ids', getWeather: 'excluded:not_in_enabled_tool_ids' },
  ]);
  expect(await names('beta')).toEqual([
    ['getWeather'],
    {
      searchWeb: 'excluded:not_in_model_override_list',
      calc: 'excluded:not_in_model_override_list',
      getWeather: 'included:model_override',
    },
  ]);
  expect((await names('beta', 'other'))[0]).toEqual(['calc']);
  expect((await names('gamma'))[0]).toEqual(['calc', 'getWeather', 'searchWeb']);
  expect((await names('__proto__'))[0]).toEqual(['calc', 'getWeather', 'searchWeb']);
});

test('a tool manifest names tools by their ids too, as hosts do whose ids are not the names', async () => {
  const tools = [
    { id: 'search', name: 'searchWeb' },
    { id: 'calc', name: 'calculate' },
    { id: 'weather', name: 'getWeather' },
  ].map((tool) => ({ ...tool, description: tool.name, inputSchema: { type: 'object' } }));
  const engine = new PromptEngine({
    toolManifest: {
      alpha: { enabledToolIds: ['search', 'calc'], disabledToolIds: ['calc'] },
      beta: { modelOverrides: { m: ['weather'] } },
    },
  });
  const names = async (id: string) => {
    const result = await engine.constructPrompt({ userInput: 'x', tools }, model, { activePersona: { ...persona, id } });
    const sent = (result.formattedToolSchemas ?? []) as readonly { function: { name: string } }[];
    return [sent.map((schema) => schema.function.name), result.metadata.toolReasons.get('getWeather')];
  };
  expect(await names('alpha')).toEqual([['searchWeb'], 'excluded:not_in_enabled_tool_ids']);
  expect(await names('beta')).toEqual([['getWeather'], 'included:model_override']);
});

test('a model that takes few tools gets the first of them, and the cut is reported', async () => {
  const tools = ['a', 'b', 'c'].map((name) => ({ name, description: name, inputSchema: {} }));
  const target = { ...model, toolSupport: { supported: true, maxToolsPerCall: 2 } };
  const result = await new PromptEngine().constructPrompt({ userInput: 'x', tools }, target);
  expect(result.formattedToolSchemas).toHaveLength(2);
  expect(result.issues).toEqual([expect.objectContaining({ code: 'tool_limit', details: { left: 1 } })]);
  expect(result.wasTruncatedOrSummarized).toBe(true);
});

test('the token count covers system, tools, history, notes, retrieved text and user text', async () => {
  const engine = new PromptEngine();
  const count = async (components: PromptComponents) => (await engine.constructPrompt({ userInput: 'x', ...components }, model)).tokenCount;
  const bare = await count({});
  const parts: PromptComponents[] = [
    { systemPrompts: [{ content: words(100) }] },
    { conversationHistory: [user(words(100))] },
    { retrievedContext: words(100) },
    { userInput: words(100) },
    { tools: [{ name: 't', description: words(100), inputSchema: {} }] },
  ];
  for (const part of parts) expect(await count(part)).toBeGreaterThanOrEqual(bare + 90);
});

test('history that does not fit is cut at a message of the user, oldest first, and reported', async () => {
  const call = { id: 'c', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
  const exchange = (index: number): ChatMessage[] => [
    user(`q${index} ${words(50)}`),
    { role: 'assistant', content: null, tool_calls: [{ ...call, id: `c${index}` }] },
    { role: 'tool', content: words(50), tool_call_id: `c${index}` },
    assistant(words(50)),
  ];
  const conversationHistory = Array.from({ length: 10 }, (_, index) => exchange(index)).flat();
  const result = await new PromptEngine(perWord).constructPrompt(
    { systemPrompts: [{ content: 'S' }], conversationHistory, userInput: 'now' },
    { ...model, maxContextTokens: 1200, reservedOutputTokens: 0 },
  );
  expect(validateMessages(listOf(result))).toEqual([]);
  expect(rolesOf(result).slice(0, 2)).toEqual(['system', 'user']);
  expect(textsOf(result).at(-1)).toBe('now');
  expect(result.tokenCount).toBeLessThanOrEqual(1200);
  const dropped = 40 - result.metadata.historyMessagesIncluded;
  expect(dropped % 4).toBe(0);
  expect(result.issues).toEqual([expect.objectContaining({ code: 'history_trimmed', details: { dropped } })]);
  expect(result.wasTruncatedOrSummarized).toBe(true);
});

test('a cut history keeps its summary, and its cut stays put for several turns', async () => {
  const engine = new PromptEngine(perWord);
  const summary = { id: 's', role: 'user', origin: 'synthetic', content: `Summary ${words(20)}` } as const;
  const history: ChatMessage[] = [summary];
  const cuts: string[] = [];
  for (let turn = 0; turn < 60; turn += 1) {
    history.push(user(`q${turn} ${words(18)}`), assistant(words(20)));
    const result = await engine.constructPrompt(
      { conversationHistory: history, userInput: 'now' },
      { ...model, maxContextTokens: 1200, reservedOutputTokens: 0 },
    );
    expect(textsOf(result)[1]).toMatch(/^Summary/);
    cuts.push(textsOf(result)[2]!.split(' ')[0]!);
  }
  const moves = cuts.filter((cut, index) => index > 0 && cut !== cuts[index - 1]).length;
  expect(moves).toBeGreaterThan(2);
  expect(moves).toBeLessThan(12);
});

test.each([
  ['as plain JSON', { role: 'user', content: `${SUMMARY_OPENING}\nShe is called Mila.` }],
  ['as a system message of another system', { role: 'system', content: `${SUMMARY_OPENING}\nShe is called Mila.` }],
] as const)('a summary that was stored %s is kept, also when the history is cut', async (_title, summary) => {
  const talk = Array.from({ length: 40 }, (_, index) => (index % 2 ? assistant : user)(`${index} ${words(30)}`));
  for (const conversationHistory of [
    [summary, ...talk],
    [summary, ...talk.slice(0, 2)],
  ]) {
    const target = { ...model, maxContextTokens: 600, reservedOutputTokens: 0 };
    const result = await new PromptEngine(perWord).constructPrompt({ conversationHistory, userInput: 'now' }, target);
    expect(textsOf(result).filter((text) => text.includes('Mila'))).toHaveLength(1);
    expect(listOf(result).find((message) => textOf(message).includes('Mila'))).toMatchObject({ role: 'user' });
    expect(result.issues.map(({ code }) => code)).toEqual(conversationHistory.length > 3 ? ['history_trimmed'] : []);
    expect(result.tokenCount).toBeLessThanOrEqual(600);
  }
});

test('a cut does not depend on what an engine saw before', async () => {
  const history: ChatMessage[] = Array.from({ length: 60 }, (_, index) => (index % 2 ? assistant : user)(`${index} ${words(30)}`));
  const target = { ...model, maxContextTokens: 1500, reservedOutputTokens: 0 };
  const used = new PromptEngine(perWord);
  for (let length = 2; length < 60; length += 2) {
    const components = { conversationHistory: history.slice(0, length), userInput: 'now' };
    const [seasoned, fresh] = await Promise.all(
      [used, new PromptEngine(perWord)].map((engine) => engine.constructPrompt(components, target)),
    );
    expect(JSON.stringify(seasoned)).toBe(JSON.stringify(fresh));
  }
  const roomy = { ...target, maxContextTokens: 100_000 };
  const again = await used.constructPrompt({ conversationHistory: history, userInput: 'now' }, roomy);
  expect(again.metadata.historyMessagesIncluded).toBe(60);
});

test('a message put in the place of another is noticed in a history that is cut', async () => {
  const history: ChatMessage[] = Array.from({ length: 60 }, (_, index) => (index % 2 ? assistant : user)(`${index} ${words(30)}`));
  const target = { ...model, maxContextTokens: 1500, reservedOutputTokens: 0 };
  const used = new PromptEngine(perWord);
  const replacements: readonly (readonly [number, ChatMessage])[] = [
    [57, history[57]!],
    [57, assistant(words(400))],
    [3, assistant('of what is left out')],
    [57, { role: 'tool', content: 'of no call', tool_call_id: 'x' }],
  ];
  for (const [at, message] of replacements) {
    history[at] = message;
    const components = { conversationHistory: history, userInput: 'now' };
    const seasoned = await used.constructPrompt(components, target);
    expect(Object.isFrozen(message)).toBe(true);
    expect(JSON.stringify(seasoned)).toBe(JSON.stringify(await new PromptEngine(perWord).constructPrompt(components, target)));
  }
});

test('the cut of a history many times its room stays put while the room changes a little', async () => {
  const engine = new PromptEngine(perWord);
  const history: ChatMessage[] = Array.from({ length: 1000 }, (_, index) => (index % 2 ? assistant : user)(`${index} ${words(18)}`));
  const cuts: string[] = [];
  for (let turn = 0; turn < 60; turn += 1) {
    history.push(user(`${history.length} ${words(18)}`), assistant(words(20)));
    const result = await engine.constructPrompt(
      { conversationHistory: history, userInput: words(1 + ((turn * 7) % 20)) },
      { ...model, maxContextTokens: 1500, reservedOutputTokens: 0 },
    );
    cuts.push(textsOf(result)[1]!.split(' ')[0]!);
  }
  expect(cuts.filter((cut, index) => index > 0 && cut !== cuts[index - 1]).length).toBeLessThan(20);
});

test('elements and retrieved text give way before the history does, and every cut is reported', async () => {
  const many = Array.from(
    { length: 5 },
    (_, index): ContextualPromptElement => ({
      id: `e${index}`,
      type: 'domain_context',
      content: words(40),
      criteria: { mood: 'curious' },
    }),
  );
  const result = await new PromptEngine(perWord).constructPrompt(
    { systemPrompts: [{ content: 'S' }], retrievedContext: [{ content: words(500) }], userInput: 'now' },
    { ...model, maxContextTokens: 300, reservedOutputTokens: 0 },
    { activePersona: { ...persona, hardLimits: [], contextualPromptElements: many }, currentMood: 'curious' },
  );
  expect(result.issues.map(({ code }) => code)).toEqual(['element_token_limit', 'retrieved_trimmed']);
  expect(result.metadata.selectedContextualElementIds.length).toBeLessThan(5);
  expect(result.tokenCount).toBeLessThanOrEqual(300);
});

test.each<['system' | 'tools' | 'user', PromptComponents]>([
  ['system', { systemPrompts: [{ content: words(5000) }], userInput: 'x' }],
  ['user', { userInput: words(5000) }],
  ['tools', { userInput: 'x', tools: [{ name: 't', description: words(5000), inputSchema: {} }] }],
])('what cannot be cut and does not fit is refused by its name: %s', async (part, components) => {
  const target = { ...model, maxContextTokens: 1000 };
  const error = await new PromptEngine(perWord).constructPrompt(components, target).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'prompt_too_large', retryable: false, part, budgetTokens: 750 });
  expect((error as Error).message).not.toContain('word');
});

test('the budget leaves room for the answer, and the optimal size bounds it too', async () => {
  const budget = async (target: Partial<ModelTargetInfo>) =>
    (await new PromptEngine().constructPrompt({ userInput: 'x' }, { ...model, ...target })).metadata.budgetTokens;
  expect(await budget({ maxContextTokens: 8000 })).toBe(6000);
  expect(await budget({ maxContextTokens: 128_000 })).toBe(128_000 - 4096);
  expect(await budget({ reservedOutputTokens: 1 })).toBe(99_999);
  expect(await budget({ optimalContextTokens: 5000 })).toBe(5000);
});

test('nothing of one talk reaches another, though all share an engine', async () => {
  const engine = new PromptEngine();
  const prefix = 'The same beginning of a system prompt, long enough to look alike. '.repeat(3);
  const build = async (secret: string, skill: string) => {
    const components: PromptComponents = {
      systemPrompts: [{ content: `${prefix}${secret}` }],
      conversationHistory: [user(`${prefix}${secret}`), assistant(prefix)],
      userInput: `${prefix}${secret}`,
      retrievedContext: `${prefix}${secret}`,
    };
    return JSON.stringify((await engine.constructPrompt(components, model, { activePersona: persona, userSkillLevel: skill })).prompt);
  };
  const [first, second, again] = [await build('4111', 'novice'), await build('blue', 'expert'), await build('4111', 'novice')];
  expect(second).not.toContain('4111');
  expect(first).not.toContain('blue');
  expect(again).toBe(first);
});

test('a message of the history that was laid out is frozen, one put in its place is understood', async () => {
  const engine = new PromptEngine();
  const history = [user('a'), assistant('b')];
  await engine.constructPrompt({ conversationHistory: history, userInput: 'x' }, model);
  expect(() => Object.assign(history[0]!, { content: 'other' })).toThrow(TypeError);
  history[0] = user('other');
  expect(textsOf(await engine.constructPrompt({ conversationHistory: history, userInput: 'x' }, model))[1]).toBe('other');
});

test('the input comes back as the message that belongs into the history, under a name of its own', async () => {
  const engine = new PromptEngine();
  const inputOf = async (userInput: PromptComponents['userInput'], turn?: number) =>
    (await engine.constructPrompt({ userInput, conversationHistory: [user('a')] }, model, { turn })).input;
  expect(await inputOf('Hi')).toMatchObject({ role: 'user', content: 'Hi', origin: 'user' });
  expect((await inputOf('Hi'))?.id).toBe((await inputOf('Hi'))?.id);
  expect((await inputOf('Ho'))?.id).not.toBe((await inputOf('Hi'))?.id);
  expect((await inputOf('Hi', 7))?.id).not.toBe((await inputOf('Hi'))?.id);
  const own: Stored = { id: 'mine', role: 'user', origin: 'heartbeat', content: 'beat' };
  expect(await inputOf(own)).toEqual(own);
});

test('text criteria read the talk by themselves, and their timing goes round with the results', async () => {
  const engine = new PromptEngine();
  const rex: ContextualPromptElement = {
    id: 'rex',
    type: 'domain_context',
    content: 'Rex is a dog.',
    criteria: { text: { keys: ['rex'], sticky: 1 } },
  };
  const activePersona = { ...persona, contextualPromptElements: [rex] };
  const said = [user('What about Rex?'), assistant('He barks.')];
  const first = await engine.constructPrompt({ conversationHistory: said, userInput: 'Why?' }, model, { activePersona, turn: 1 });
  expect(first.metadata.selectedContextualElementIds).toEqual(['rex']);
  expect(first.elementTiming).toEqual({ rex: { until: 2, restUntil: 2 } });
  const next = { activePersona, turn: 2, elementTiming: first.elementTiming };
  expect((await engine.constructPrompt({ userInput: 'Hm' }, model, next)).metadata.selectedContextualElementIds).toEqual(['rex']);
  expect((await engine.constructPrompt({ userInput: 'Hm' }, model, { ...next, turn: 3 })).metadata.selectedContextualElementIds).toEqual(
    [],
  );
});

test('criteria are judged by evaluateCriteria as in a prompt; none given hold', () => {
  const engine = new PromptEngine({ predicates: { yes: () => true } });
  expect(engine.evaluateCriteria(undefined, {})).toBe(true);
  expect(engine.evaluateCriteria({ mood: ['curious'], predicate: 'yes' }, { currentMood: 'curious' })).toBe(true);
  const criteria = { userSkillLevel: 'expert' };
  expect(engine.evaluateCriteria(criteria, { userSkillLevel: 'expert' })).toBe(true);
  expect(engine.evaluateCriteria(criteria, { userSkillLevel: 'novice' })).toBe(false);
  expect(() => engine.evaluateCriteria({ moods: 'x' } as object, {})).toThrow(expect.objectContaining({ code: 'criteria_invalid' }));
  expect(() => engine.evaluateCriteria(null as never, {})).toThrow(expect.objectContaining({ code: 'criteria_invalid' }));
});

const asked = (...ids: string[]): ChatMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })),
});
const result = (id: string): ChatMessage => ({ role: 'tool', content: `seen ${id}`, tool_call_id: id });

test.each<[string, readonly ChatMessage[], readonly string[], number]>([
  ['a result without its call', [user('a'), result('x'), assistant('b')], ['user', 'assistant'], 1],
  ['a call without its result', [user('a'), asked('x'), user('b')], ['user', 'user'], 1],
  ['one of two calls without its result', [user('a'), asked('x', 'y'), result('y')], ['user', 'assistant', 'tool'], 1],
  ['a result twice', [user('a'), asked('x'), result('x'), result('x')], ['user', 'assistant', 'tool'], 1],
  ['a call that stands twice', [user('a'), asked('x', 'x'), result('x')], ['user', 'assistant', 'tool'], 1],
  ['results alone', [result('x'), result('y')], [], 2],
  ['a result before all else', [result('x'), assistant('b')], ['assistant'], 1],
])('%s is left out and told, so that what leaves is sound', async (_title, conversationHistory, roles, left) => {
  for (const userInput of ['go on', undefined]) {
    const built = await new PromptEngine().constructPrompt({ conversationHistory, userInput }, model, { activePersona: persona });
    expect(validateMessages(listOf(built))).toEqual([]);
    const talk = rolesOf(built).slice(1);
    if (userInput !== undefined) expect(talk).toEqual([...roles, 'user']);
    expect(built.issues.filter(({ code }) => code === 'history_unpaired')).toEqual([
      expect.objectContaining({ severity: 'error', details: { left } }),
    ]);
  }
});

test('a sound history is not touched', async () => {
  const conversationHistory = [user('a'), asked('x', 'y'), result('y'), result('x'), assistant('b')];
  const built = await new PromptEngine().constructPrompt({ conversationHistory, userInput: 'c' }, model, { activePersona: persona });
  expect([built.issues, rolesOf(built)]).toEqual([[], ['system', 'user', 'assistant', 'tool', 'tool', 'assistant', 'user']]);
});
