/** Makes conversations out of chance, sound ones and broken ones, in the shapes that providers use. */

/** A small generator of numbers in [0, 1) that gives the same row for the same seed (mulberry32). */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}

const WORDS =
  'the harbour opens before dawn and nobody knows why lamps stay lit near green doors while slow carts pass under old trees with apples for winter'.split(
    ' ',
  );
const STRANGE = [
  '状況を確認してから返信します',
  '我们明天下午再讨论这个问题',
  '안녕하세요 확인했습니다',
  'Привет, всё готово',
  '🎉🙇‍♀️',
  '\ud83d',
  'QmFzZTY0IGlzIG5vdCBhIHdvcmQ/+8f3kZ1x',
];

/** Tools for drawing from a random source. */
export function dice(random) {
  const below = (limit) => Math.floor(random() * limit);
  const pick = (list) => list[below(list.length)];
  const chance = (share) => random() < share;
  const text = (most) => {
    const count = 1 + below(most);
    const words = Array.from({ length: count }, () => (chance(0.03) ? pick(STRANGE) : chance(0.06) ? `R-${below(99999)}` : pick(WORDS)));
    return `${words.join(' ')}.`;
  };
  /** Talk about nothing: no number, no name. */
  const chatter = (most) => `${Array.from({ length: 1 + below(most) }, () => pick(WORDS)).join(' ')}.`;
  return { below, pick, chance, text, chatter };
}

/**
 * One conversation in a shape of its own, to be written down in a dialect: entries
 * `{ by: 'user', text } | { by: 'assistant', text, calls: [{ id, name, args }] } | { by: 'results', results: [{ id, text }], text? } | { by: 'system' | 'developer', text }`.
 */
export function drawConversation(random, { sound = false } = {}) {
  const { below, pick, chance, text } = dice(random);
  const entries = [];
  const marked = chance(0.5);
  const reuse = chance(0.15);
  let number = 0;
  const call = () => ({
    id: reuse ? `call_${below(4)}` : `call_${++number}`,
    name: pick(['lookup', 'write_file', 'memory', 'search']),
    args: { query: text(8) },
  });
  if (chance(0.7)) entries.push({ by: 'system', text: `SOUL ${text(30)}` });
  if (chance(0.08)) entries.push({ by: chance(0.5) ? 'developer' : 'system', text: `Rules: ${text(10)}` });
  if (chance(0.1)) entries.push({ by: 'system', text: `[Summary of earlier conversation]\nBefore: ${text(20)}` });
  if (chance(0.1)) entries.push({ by: 'assistant', text: `Hello! ${text(5)}`, calls: [] });
  const exchanges = pick([0, 1, 1, 2, 3, 5, 8, 13]);
  for (let exchange = 0; exchange < exchanges; exchange += 1) {
    const origin = chance(0.12) ? pick(['heartbeat', 'internal']) : 'user';
    entries.push({ by: 'user', text: text(chance(0.06) ? 150 : 20), origin });
    const steps = pick([0, 0, 1, 1, 2, 4]);
    for (let step = 0; step < steps; step += 1) {
      const calls = [];
      for (let left = chance(0.3) ? 2 + below(2) : 1; left > 0; left -= 1) {
        const next = call();
        if (!calls.some(({ id }) => id === next.id) || (!sound && chance(0.1))) calls.push(next);
      }
      entries.push({ by: 'assistant', text: chance(0.4) ? text(10) : '', calls });
      const results = calls.map(({ id }) => ({ id, text: chance(0.12) ? text(400) : text(30) }));
      if (!sound) {
        if (chance(0.05)) results.splice(below(results.length), 1);
        if (chance(0.04)) results.push({ id: 'call_nobody', text: text(5) });
        if (chance(0.04) && results[0]) results.push({ ...results[0] });
        if (chance(0.03)) results.reverse();
      }
      if (!sound && chance(0.03)) entries.push({ by: 'system', text: text(4) });
      if (results.length > 0) entries.push({ by: 'results', results, text: chance(0.06) ? text(6) : '' });
      if (!sound && chance(0.02)) entries.push({ by: 'results', results: [{ id: `call_${number}`, text: 'late' }], text: '' });
    }
    if (exchange < exchanges - 1 || chance(0.4)) entries.push({ by: 'assistant', text: text(30), calls: [] });
  }
  if (!sound && chance(0.05)) entries.push({ by: 'assistant', text: '', calls: [call()] });
  if (!sound && chance(0.03)) entries.shift();
  return { entries, marked };
}

export const DIALECTS = ['chat', 'anthropic', 'responses'];

/** The conversation as messages of one dialect. */
export function write({ entries, marked }, dialect) {
  const messages = [];
  const add = (message, origin) => messages.push(marked ? { id: `m${messages.length}`, origin, ...message } : message);
  for (const entry of entries) {
    if (entry.by === 'system' || entry.by === 'developer') add({ role: entry.by, content: entry.text }, 'internal');
    else if (entry.by === 'user')
      add({ role: 'user', content: dialect === 'responses' ? [{ type: 'input_text', text: entry.text }] : entry.text }, entry.origin);
    else if (entry.by === 'assistant') writeAssistant(entry, dialect, add);
    else writeResults(entry, dialect, add);
  }
  return messages;
}

function writeAssistant({ text, calls }, dialect, add) {
  if (dialect === 'chat') {
    const tool_calls = calls.map(({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }));
    add({ role: 'assistant', content: text === '' ? null : text, ...(calls.length > 0 && { tool_calls }) }, 'assistant');
  } else if (dialect === 'anthropic') {
    const parts = [
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
    ];
    add({ role: 'assistant', content: parts }, 'assistant');
  } else {
    if (text !== '') add({ role: 'assistant', content: [{ type: 'output_text', text }] }, 'assistant');
    // Without `id`: in this dialect it is the provider's.
    for (const { id, name, args } of calls) add({ type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) }, 'assistant');
  }
}

function writeResults({ results, text }, dialect, add) {
  if (dialect === 'chat') for (const { id, text: content } of results) add({ role: 'tool', tool_call_id: id, content }, 'tool');
  else if (dialect === 'anthropic') {
    const parts = results.map(({ id, text: content }, index) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: index % 2 === 0 ? content : [{ type: 'text', text: content }],
    }));
    add({ role: 'user', content: [...parts, ...(text === '' ? [] : [{ type: 'text', text }])] }, text === '' ? 'tool' : 'user');
  } else for (const { id, text: output } of results) add({ type: 'function_call_output', call_id: id, output }, 'tool');
}

/** Faults of a list that is about to leave: written apart from the package, call by call. */
export function faultsOf(messages, dialect) {
  const faults = [];
  if (dialect === 'chat') {
    let open = [];
    for (const message of messages) {
      if (message.role === 'tool') {
        const at = open.indexOf(message.tool_call_id);
        if (at < 0) faults.push(`orphan result ${message.tool_call_id}`);
        else open.splice(at, 1);
        continue;
      }
      for (const id of open) faults.push(`call ${id} without result`);
      open = (message.tool_calls ?? []).map(({ id }) => id);
      if (new Set(open).size < open.length) faults.push('two calls of one id');
    }
    for (const id of open) faults.push(`call ${id} without result at the end`);
  } else if (dialect === 'anthropic') {
    let open = [];
    for (const message of messages) {
      const parts = Array.isArray(message.content) ? message.content : [];
      for (const part of parts) {
        if (part.type !== 'tool_result') continue;
        const at = open.indexOf(part.tool_use_id);
        if (at < 0) faults.push(`orphan result ${part.tool_use_id}`);
        else open.splice(at, 1);
      }
      const onlyResults = parts.length > 0 && parts.every(({ type }) => type === 'tool_result');
      // Neighbouring user messages are joined by the endpoint, so the results of one call may come in several.
      if (!onlyResults) {
        for (const id of open) faults.push(`call ${id} without result`);
        open = parts.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
        if (new Set(open).size < open.length) faults.push('two calls of one id');
      }
      if (Array.isArray(message.content) && message.content.length === 0) faults.push('a message without content');
    }
    for (const id of open) faults.push(`call ${id} without result at the end`);
  } else {
    const open = [];
    for (const item of messages) {
      if (item.type === 'function_call') {
        if (open.includes(item.call_id)) faults.push(`call ${item.call_id} twice`);
        open.push(item.call_id);
      } else if (item.type === 'function_call_output') {
        const at = open.indexOf(item.call_id);
        if (at < 0) faults.push(`orphan result ${item.call_id}`);
        else open.splice(at, 1);
      } else if (item.role !== undefined) {
        for (const id of open) faults.push(`call ${id} without result before a message`);
        open.length = 0;
      }
    }
    for (const id of open) faults.push(`call ${id} without result at the end`);
  }
  const ids = messages.map(({ id }) => id).filter((id) => id !== undefined);
  if (new Set(ids).size < ids.length) faults.push('a message twice');
  if (new Set(messages).size < messages.length) faults.push('a message object twice');
  return faults;
}

/** The text of the newest message that a person wrote, or `undefined`. */
export function newestRequest(messages) {
  const genuine = messages.filter(({ role, content, origin }) => {
    if (role !== 'user' || (origin !== undefined && origin !== 'user')) return false;
    return typeof content === 'string' ? true : content.some(({ type }) => type !== 'tool_result');
  });
  return genuine.length === 0 ? undefined : spoken(genuine.at(-1));
}

export function spoken({ content }) {
  return typeof content === 'string'
    ? content
    : (content ?? [])
        .filter(({ text, type }) => typeof text === 'string' && type !== 'tool_result')
        .map(({ text }) => text)
        .join('\n');
}
