// A thousand agents in one process, and how fast a running one stops.
import { agent } from '@x/runtime';
import { createScriptedModel } from '@x/testkit';

const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const mb = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024 / 1024;
};

export default async function ({ short, log }) {
  const agents = short ? 200 : 1000;
  const turns = 3;
  const before = mb();
  const model = createScriptedModel((request) => `answer to ${request.messages.length}`, { record: false });
  const hanging = createScriptedModel(() => ({ text: 'thinking', hang: true }), { record: false });
  const waits = {
    name: 'wait',
    description: 'waits for ever, deaf to its signal',
    inputSchema: { type: 'object', properties: {} },
    execute: () => new Promise(() => {}),
  };
  const calls = createScriptedModel(() => ({ toolCalls: [{ name: 'wait' }] }), { record: false });
  const does = { does: 'answers', soul: 'You answer.' };
  const runtime = agent('answerer', {
    ...does,
    team: [agent('hanger', { ...does, model: hanging }), agent('waiter', { ...does, model: calls, tools: [waits] })],
  }).createRuntime({
    model,
    maxConcurrentTurns: 64,
  });
  const start = performance.now();
  const handles = Array.from({ length: agents }, () => runtime.spawn(runtime.root, 'answerer'));
  let done = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    for (const handle of handles) {
      runtime.post(handle, { from: `user-${turn}`, channel: 'chat', text: 'hello' });
      runtime.wake(handle, `turn ${turn}`);
    }
    const results = await Promise.all(handles.map((handle) => runtime.wait(handle)));
    done += results.filter((result) => result.status === 'done').length;
  }
  const ms = performance.now() - start;
  const heldMb = mb() - before;
  log(`${agents} agents, ${done} turns in ${ms.toFixed(0)} ms`);

  const tries = short ? 60 : 300;
  const stops = { model: [], tool: [] };
  for (const [kind, name] of [
    ['model', 'hanger'],
    ['tool', 'waiter'],
  ]) {
    for (let round = 0; round < tries; round += 1) {
      const handle = runtime.spawn(runtime.root, name);
      runtime.wake(handle, 'go');
      for (let lap = 0; lap < 5; lap += 1) await new Promise((resolve) => setImmediate(resolve));
      const from = performance.now();
      runtime.interrupt(handle);
      const { status } = await runtime.wait(handle);
      if (status === 'interrupted') stops[kind].push(performance.now() - from);
      await runtime.close(handle);
    }
  }
  const live = runtime.list().length;
  await runtime.close(runtime.root);
  const p99 = Math.max(quantile(stops.model, 0.99), quantile(stops.tool, 0.99));
  return [
    {
      claim: `${agents} live agents in one process take posts and turns`,
      figure: `${live} alive, ${done} of ${agents * turns} turns done in ${ms.toFixed(0)} ms, ${heldMb.toFixed(0)} MB of heap`,
      limit: 'all alive, all turns done',
      pass: live === agents && done === agents * turns,
    },
    {
      claim: 'An interrupted turn has stopped within 50 ms (p99), whether its model hangs or its tool is deaf',
      figure: `p99 ${p99.toFixed(2)} ms, N = ${stops.model.length} + ${stops.tool.length}`,
      limit: 'at most 50 ms',
      pass: p99 <= 50 && stops.model.length === tries && stops.tool.length === tries,
    },
  ];
}
