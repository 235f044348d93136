import { type ITool, type TurnHook, validateMessages } from '@x/core';
import { createScriptedModel, createVirtualClock } from '@x/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RunTurnEvent, type RunTurnOptions, runTurn } from './run-turn.js';
import type { TurnOutcome } from './session-types.js';

const user = (content: string) => [{ role: 'user' as const, content }];
const tool = (name: string, execute: ITool['execute'], more: Partial<ITool> = {}): ITool => ({
  name,
  description: '',
  inputSchema: {},
  execute,
  ...more,
});

async function outcome(options: RunTurnOptions, text = 'go'): Promise<TurnOutcome> {
  for await (const event of runTurn(user(text), options)) if (event.type === 'turn-end') return event.result;
  throw new Error('no turn-end');
}

test('calls of one step run at the same time and their results stand in the order of the calls', async () => {
  const order: string[] = [];
  let open!: () => void;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const slow = tool('slow', async () => {
    order.push('slow starts');
    await gate;
    return 'slow';
  });
  const fast = tool('fast', () => {
    order.push('fast starts');
    open();
    return 'fast';
  });
  const model = createScriptedModel([{ toolCalls: [{ name: 'slow' }, { name: 'fast' }] }, 'ok']);
  const result = await outcome({ model, tools: [slow, fast] });
  expect(order).toEqual(['slow starts', 'fast starts']);
  expect(result.messages.slice(2, 4).map((message) => message.content)).toEqual(['slow', 'fast']);
});

test('instructions at the head are the system prompt, whichever of the two roles they have', async () => {
  for (const role of ['system', 'developer'] as const) {
    const model = createScriptedModel(['ok']);
    for await (const _ of runTurn([{ role, content: 'You are Ava.' }, ...user('Hi')], { model }));
    expect(model.requests[0]?.messages.map((message) => [message.role, String(message.content).slice(0, 12)])).toEqual([
      ['system', 'You are Ava.'],
      ['user', 'Hi'],
    ]);
  }
});

test('unknown names, broken arguments, missing fields and throwing tools are results that say what to do', async () => {
  const strict = tool('strict', () => 'ran', { inputSchema: { type: 'object', required: ['a'] } });
  const bad = tool('bad', () => {
    throw new Error('out of paper');
  });
  const model = createScriptedModel([
    {
      toolCalls: [
        { name: 'serach' },
        { name: 'strict', arguments: '{"a": 1' },
        { name: 'strict', arguments: '' },
        { name: 'bad' },
        { name: 'strict', arguments: '[1]' },
      ],
    },
    'ok',
  ]);
  const { toolCalls, status } = await outcome({ model, tools: [strict, bad] });
  expect(status).toBe('done');
  expect(toolCalls.map((call) => call.output.replace(/JSON: .*(?= Call)/, 'JSON: … '))).toEqual([
    'Unknown tool: serach. Known tools: bad, strict.',
    'The arguments are not JSON: …  Call strict again with corrected arguments.',
    'Missing: a. Call strict again with corrected arguments.',
    'out of paper',
    'The arguments must be one JSON object. Call strict again with corrected arguments.',
  ]);
});

test('a tool past its time is answered, its late end is ignored, and it is told by its signal', async () => {
  const clock = createVirtualClock();
  let told: unknown;
  const hung = tool(
    'hung',
    (_args, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          told = signal.reason;
          reject(new Error('late'));
        });
      }),
  );
  const model = createScriptedModel([{ toolCalls: [{ name: 'hung' }] }, 'ok']);
  const running = outcome({ model, tools: [hung], clock, toolTimeoutMs: 500 });
  await clock.advance(499);
  expect(told).toBeUndefined();
  await clock.advance(1);
  expect((await running).toolCalls[0]).toMatchObject({ isError: true, output: 'hung gave no result within 500 ms and was stopped.' });
  expect(told).toMatchObject({ code: 'turn_timeout' });
  expect(clock.pending).toBe(0);
});

test('the same failing call three times ends the turn', async () => {
  const model = createScriptedModel([{ toolCalls: [{ name: 'none' }] }], { atEnd: 'repeat' });
  expect(await outcome({ model })).toMatchObject({ status: 'incomplete', limit: 'repeatedFailure', steps: 3 });
});

test('output that was cut off is never run, and asked for at most once more', async () => {
  let ran = 0;
  const count = tool('count', () => String(++ran));
  const cut = { toolCalls: [{ name: 'count' }], finish: 'length' as const };
  const model = createScriptedModel([cut, cut, 'unreached']);
  const result = await outcome({ model, tools: [count] });
  expect(result).toMatchObject({ status: 'incomplete', limit: 'maxOutputTokens', steps: 2 });
  expect(ran).toBe(0);
  expect(validateMessages(result.messages)).toEqual([]);
  const text = createScriptedModel([{ text: 'half an ans', finish: 'length' }]);
  expect(await outcome({ model: text })).toMatchObject({ status: 'incomplete', limit: 'maxOutputTokens', text: 'half an ans', steps: 1 });
});

test('complete calls decide over the finish label', async () => {
  const model = createScriptedModel([
    { toolCalls: [{ name: 'count' }], finish: 'stop' },
    { text: 'ok', finish: 'tool-calls' },
  ]);
  expect(await outcome({ model, tools: [tool('count', () => '1')] })).toMatchObject({
    status: 'done',
    text: 'ok',
    toolCalls: [{ output: '1' }],
  });
});

test('each budget ends the turn by its name, and the transcript stays whole', async () => {
  const clock = createVirtualClock();
  const count = tool('count', () => '1');
  const two = {
    toolCalls: [{ name: 'count' }, { name: 'count', arguments: { again: true } }],
    usage: { inputTokens: 60, outputTokens: 10 },
  };
  const limits = { maxSteps: { maxSteps: 2 }, maxToolCalls: { maxToolCalls: 3 }, maxTokens: { maxTokens: 100 } };
  for (const [limit, budgets] of Object.entries(limits)) {
    const result = await outcome({ model: createScriptedModel([two], { atEnd: 'repeat' }), tools: [count], budgets });
    expect(result).toMatchObject({ status: 'incomplete', limit, steps: 2 });
    expect(validateMessages(result.messages)).toEqual([]);
  }
  const hanging = outcome({ model: createScriptedModel([{ text: 'so far', hang: true }]), budgets: { maxWallMs: 1000 }, clock });
  await clock.advance(1000);
  expect(await hanging).toMatchObject({ status: 'incomplete', limit: 'maxWallMs', text: 'so far' });
  const stuck = outcome({
    model: createScriptedModel([two]),
    tools: [tool('count', () => new Promise(() => {}))],
    budgets: { maxWallMs: 1000 },
    clock,
  });
  await clock.advance(1000);
  const stopped = await stuck;
  expect(stopped).toMatchObject({ status: 'incomplete', limit: 'maxWallMs' });
  expect(validateMessages(stopped.messages)).toEqual([]);
});

test('an abort reaches model and tools at once and throws its reason, whichever of them is running', async () => {
  const reason = new Error('enough');
  for (const phase of ['model', 'tool', 'hook'] as const) {
    const abort = new AbortController();
    let seen: AbortSignal | undefined;
    const wait = tool('wait', (_args, { signal }) => {
      seen = signal;
      return new Promise(() => {});
    });
    const hooks: TurnHook[] = phase === 'hook' ? [{ beforeLLM: () => new Promise(() => {}) }] : [];
    const model = createScriptedModel([phase === 'model' ? { text: 'x', hang: true } : { toolCalls: [{ name: 'wait' }] }]);
    const events: RunTurnEvent[] = [];
    const all = (async () => {
      for await (const event of runTurn(user('go'), { model, tools: [wait], hooks, signal: abort.signal })) events.push(event);
    })();
    const caught = all.catch((error: unknown) => error);
    await new Promise((resolve) => setImmediate(resolve));
    abort.abort(reason);
    expect(await caught).toBe(reason);
    if (phase === 'tool') expect(seen?.aborted).toBe(true);
    expect(events.some((event) => event.type === 'turn-end')).toBe(false);
  }
});

test('listeners do not pile up on a signal that outlives many turns', async () => {
  const abort = new AbortController();
  let open = 0;
  const { signal } = abort;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    open += 1;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    open -= 1;
    remove(...args);
  };
  const model = createScriptedModel([{ toolCalls: [{ name: 'count' }] }, 'ok', { toolCalls: [{ name: 'count' }] }, 'ok']);
  for (let turn = 0; turn < 2; turn += 1) await outcome({ model, tools: [tool('count', () => '1')], signal });
  expect(open).toBe(0);
});

test('thirty calls at once wait on the turn through one listener, and all stop with it', async () => {
  const abort = new AbortController();
  let most = 0;
  const { signal } = abort;
  const stopped: unknown[] = [];
  const wait = tool('wait', (_args, context) => {
    context.signal?.addEventListener('abort', () => stopped.push(context.signal?.reason));
    return new Promise(() => {});
  });
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  process.on('warning', warn);
  const model = createScriptedModel([{ toolCalls: Array.from({ length: 30 }, () => ({ name: 'wait' })) }]);
  const running = outcome({ model, tools: [wait], signal }).catch((error: unknown) => error);
  await new Promise((resolve) => setImmediate(resolve));
  most = stopped.length;
  abort.abort('stop');
  expect(await running).toBe('stop');
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', warn);
  expect([most, stopped.length, warnings]).toEqual([0, 30, []]);
});

test('a stream that breaks after its first event is asked for once more; tools do not run again', async () => {
  let ran = 0;
  const count = tool('count', () => String(++ran));
  const cut = Object.assign(new Error('cut'), { code: 'model_stream_cut', retryable: true, [Symbol.for('@x/core/AgentosError')]: true });
  const model = createScriptedModel([{ toolCalls: [{ name: 'count' }] }, { text: 'half', error: cut }, 'whole']);
  const types: string[] = [];
  for await (const event of runTurn(user('go'), { model, tools: [count] })) {
    if (event.type === 'step-retry' || event.type === 'text-delta') types.push(event.type);
    if (event.type === 'turn-end') expect(event.result).toMatchObject({ text: 'whole', steps: 2 });
  }
  expect(types).toEqual(['text-delta', 'step-retry', 'text-delta']);
  expect(ran).toBe(1);
});

test('events of other types end no answer, and counts that cannot be true are estimated', async () => {
  const scripted = createScriptedModel(['whole answer']);
  const model: RunTurnOptions['model'] = {
    modelId: 'm',
    providerId: 'p',
    capabilities: scripted.capabilities,
    async *stream(request, options) {
      for await (const event of scripted.stream(request, options)) {
        yield { type: 'citation' } as never;
        yield event.type === 'model-end' ? { ...event, usage: { inputTokens: Number.NaN, outputTokens: -5 } } : event;
      }
    },
  };
  const { text, usage } = await outcome({ model });
  expect(text).toBe('whole answer');
  expect([usage.inputTokens > 0, usage.outputTokens > 0, usage.counted]).toEqual([true, true, false]);
});

test('hooks rewrite, answer in a tool’s place, and see results, in their order', async () => {
  const log: string[] = [];
  const first: TurnHook = {
    beforeTool: ({ args }) => ({ args: { ...(args as object), seen: 1 } }),
    afterTool: ({ result }) => ({ result: `${String(result)}!` }),
    afterLLM: ({ turn }) => void log.push(`llm ${turn}`),
  };
  const second: TurnHook = {
    beforeTool: ({ name, args }) =>
      name === 'denied' ? { result: { output: 'denied: no', isError: true } } : void log.push(JSON.stringify(args)),
    afterTool: ({ result }) => ({ result: `${String((result as { output?: string }).output ?? result)}?` }),
  };
  const model = createScriptedModel([{ toolCalls: [{ name: 'count', arguments: { a: 1 } }, { name: 'denied' }] }, 'ok']);
  const { toolCalls } = await outcome({ model, tools: [tool('count', () => 'one'), tool('denied', () => 'ran')], hooks: [first, second] });
  expect(toolCalls.map((call) => call.output)).toEqual(['one!?', '[object Object]!?']);
  expect(log).toEqual(['llm 0', '{"a":1,"seen":1}', 'llm 1']);
});

test('whatever a model does, each list it gets is one that providers accept', async () => {
  const call = fc.record({
    name: fc.constantFrom('ok', 'fails', 'asks', 'nobody'),
    arguments: fc.constantFrom('{}', '', '{"a":', '[]', 'null'),
    id: fc.option(fc.constantFrom('', 'same', 'other'), { nil: undefined }),
  });
  const reply = fc.record({
    text: fc.constantFrom('', 'some text'),
    toolCalls: fc.array(call, { maxLength: 4 }),
    finish: fc.constantFrom('stop' as const, 'tool-calls' as const, 'length' as const, 'refused' as const),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(reply, { minLength: 1, maxLength: 6 }), async (script) => {
      const tools = [
        tool('ok', () => 'fine'),
        tool('fails', () => {
          throw new Error('no');
        }),
        tool('asks', () => ({ output: 'sure?', isError: true, metadata: { pending: { id: 'q', kind: 'approval', prompt: 'sure?' } } })),
      ];
      const model = createScriptedModel([...script, 'the end']);
      const result = await outcome({ model, tools });
      for (const request of model.requests) expect(validateMessages(request.messages)).toEqual([]);
      if (result.status !== 'pending') expect(validateMessages(result.messages)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test('a tool or a hook may return any promise-like value', async () => {
  // biome-ignore lint/suspicious/noThenProperty: a promise of another library is what is tried here
  const later = <T>(value: T) => ({ then: (resolve: (value: T) => void) => resolve(value) }) as unknown as Promise<T>;
  const look: ITool = { name: 'look', description: '', inputSchema: {}, execute: () => later('seen') };
  const hook: TurnHook = { afterTool: () => later({ result: 'seen twice' }) };
  const model = createScriptedModel([{ toolCalls: [{ name: 'look' }] }, 'done']);
  expect((await outcome({ model, tools: [look], hooks: [hook] })).toolCalls[0]?.output).toBe('seen twice');
  const bare = createScriptedModel([{ toolCalls: [{ name: 'look' }] }, 'done']);
  expect((await outcome({ model: bare, tools: [look] })).toolCalls[0]?.output).toBe('seen');
});

test('a tool at its time limit is told which limit that was', async () => {
  const clock = createVirtualClock();
  let reason: unknown;
  const slow = tool('slow', (_args, { signal }) => {
    signal?.addEventListener('abort', () => {
      reason = signal.reason;
    });
    return new Promise(() => {});
  });
  const running = outcome({
    model: createScriptedModel([{ toolCalls: [{ name: 'slow' }] }, 'done']),
    tools: [slow],
    clock,
    toolTimeoutMs: 50,
  });
  while (clock.nextAtMs === undefined) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(50);
  await running;
  expect(reason).toMatchObject({ code: 'turn_timeout', what: 'tool slow', limitMs: 50, message: expect.stringContaining('toolTimeoutMs') });
});

test('a summary of another system at the head is said once, as part of the talk', async () => {
  const model = createScriptedModel(['ok']);
  const messages = [{ role: 'system' as const, content: '[Summary of earlier conversation] Trees.' }, ...user('hi')];
  for await (const _ of runTurn(messages, { model }));
  const [system, ...talk] = model.requests[0]!.messages;
  expect(system).toMatchObject({ role: 'system', content: expect.not.stringContaining('Trees') });
  expect(talk.map(({ role, content }) => [role, content])).toEqual([
    ['user', '[Summary of earlier conversation] Trees.'],
    ['user', 'hi'],
  ]);
});
