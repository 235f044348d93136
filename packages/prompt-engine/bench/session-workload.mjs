/**
 * A scripted session: turns with a state that changes now and then, tool results, folds and one restart. Plays it with the prompt hook and
 * the request layout and keeps every request, so that what a provider's cache could serve of it can be counted.
 */

/** The session of the figures: tokens of each piece, turns, and where things happen. */
export const SESSION = {
  turns: 300,
  prefixTokens: 6000,
  userTokens: 150,
  replyTokens: 300,
  toolTokens: 2000,
  toolEvery: 5,
  blockTokens: 600,
  changeShare: 0.12,
  foldAtTokens: 60_000,
  tailTokens: 12_000,
  summaryTokens: 1500,
  restartAt: 150,
};

const MOODS = ['neutral', 'focused', 'empathetic', 'curious', 'assertive', 'analytical', 'creative'];
const SYLLABLES = ['ka', 'lo', 'mi', 'ner', 'tos', 'vel', 'run', 'dor', 'sha', 'bel'];
const CAPABILITIES = { lateNote: 'fenced-user', mergeUserRuns: false, structuredOutput: false };
const TOOLS = [
  { name: 'search', description: 'Searches the archive.', inputSchema: { type: 'object', properties: { query: { type: 'string' } } } },
];

/**
 * @param {object} parts
 * @param {(options: object) => object} parts.promptHook
 * @param {() => (layout: object, capabilities: object) => object} parts.createRequestLayout
 * @param {(text: string) => number} parts.countTokens
 * @param {object} parts.initialState
 * @param {typeof SESSION} parts.session
 * @param {'kept-on-change' | 'late' | 'leading'} [parts.placement]
 * @param {(turn: number) => string} [parts.head] - Text put at the head of the stable part; a clock, to see what it costs.
 * @returns The requests with the breaks that are meant, and what the session cannot do without: tokens that are new at some point.
 */
export async function playSession({
  promptHook,
  createRequestLayout,
  countTokens,
  initialState,
  session,
  placement = 'kept-on-change',
  head,
}) {
  const random = seeded(7);
  const text = (tokens, label) => textOf(tokens, label, random, countTokens);
  const persona = createPersona(session, text);
  const requests = [];
  let [hook, layOut] = [promptHook({ persona }), createRequestLayout()];
  let [history, blocks] = [[], []];
  let state = { ...initialState };
  let due;
  let newTokens = 0;
  const fresh = (message) => {
    newTokens += countTokens(JSON.stringify(wire(message)));
    return message;
  };

  for (let turn = 1; turn <= session.turns; turn += 1) {
    if (turn === session.restartAt) {
      // Another process: all that it has is what a store gave back.
      [hook, layOut] = [promptHook({ persona }), createRequestLayout()];
      [history, blocks] = JSON.parse(JSON.stringify([history, blocks]));
    }
    if (turn > 1 && random() < session.changeShare) state = { ...state, mood: other(state.mood, random) };
    const input = fresh({ id: `u${turn}`, role: 'user', origin: 'user', content: text(session.userTokens, `question ${turn}`) });
    const now = {
      input,
      origin: 'user',
      lane: 'ava/ada/s',
      state: { ...state, values: { gmi_turn_count: turn - 1 } },
      signals: [],
      events: [],
    };
    const view = {
      ...now,
      id: `t${turn}`,
      atMs: turn * 60_000,
      layout: { history },
      signal: new AbortController().signal,
      apply() {},
      trace() {},
    };
    const composed = await hook.compose(view);
    const stable = head === undefined ? composed.stable : { ...composed.stable, soul: head(turn) };

    if (tokensOf(history, countTokens) + tokensOf([input], countTokens) > session.foldAtTokens) {
      const summary = fresh({ id: `s${turn}`, role: 'user', origin: 'synthetic', content: text(session.summaryTokens, `summary ${turn}`) });
      const tail = tailOf(history, session.tailTokens, countTokens);
      newTokens += tokensOf(tail, countTokens); // sent again behind another head
      for (const part of Object.values(composed.volatile)) newTokens += countTokens(part);
      history = [summary, ...tail];
      due = 'fold';
    }
    let current = [input];
    const send = () => {
      const layout = { stable, tools: TOOLS, history, blocks, volatile: composed.volatile, current, placement };
      const request = layOut(layout, CAPABILITIES);
      const said = new Set(blocks);
      if (due !== 'fold') for (const block of request.blocks) if (!said.has(block)) newTokens += countTokens(block.text);
      blocks = request.blocks;
      requests.push({ request: { model: 'm', tools: request.tools, messages: request.messages }, break: due });
      due = undefined;
    };
    send();
    if (turn % session.toolEvery === 0) {
      const call = { id: `c${turn}`, type: 'function', function: { name: 'search', arguments: `{"query":"${turn}"}` } };
      const asked = fresh({ id: `a${turn}`, role: 'assistant', origin: 'assistant', content: null, tool_calls: [call] });
      const found = fresh({
        id: `r${turn}`,
        role: 'tool',
        origin: 'tool',
        tool_call_id: call.id,
        content: text(session.toolTokens, `result ${turn}`),
      });
      current = [input, asked, found];
      send();
    }
    const reply = fresh({ id: `b${turn}`, role: 'assistant', origin: 'assistant', content: text(session.replyTokens, `answer ${turn}`) });
    history = [...history, ...current, reply];
  }
  const [first] = requests;
  newTokens += countTokens(JSON.stringify(first.request.tools)) + countTokens(JSON.stringify(first.request.messages[0]));
  return { requests, newTokens };
}

function createPersona(session, text) {
  return {
    id: 'ava',
    name: 'Ava',
    baseSystemPrompt: text(session.prefixTokens, 'You are Ava.'),
    contextualPromptElements: MOODS.map((mood) => ({
      id: `in-${mood}`,
      type: 'behavioral_guidance',
      content: text(session.blockTokens, `When ${mood}:`),
      criteria: { mood },
    })),
  };
}

function tailOf(history, tokens, countTokens) {
  let start = history.length;
  let left = tokens;
  for (let index = history.length - 1; index >= 0 && left > 0; index -= 1) {
    left -= tokensOf([history[index]], countTokens);
    if (history[index].role === 'user') start = index;
  }
  return history.slice(start);
}

function tokensOf(messages, countTokens) {
  return messages.reduce((sum, message) => sum + countTokens(JSON.stringify(wire(message))), 0);
}

function wire({ id: _id, origin: _origin, ...message }) {
  return message;
}

function other(mood, random) {
  const rest = MOODS.filter((one) => one !== mood);
  return rest[Math.floor(random() * rest.length)];
}

/** Words that are not words, of about that many tokens. */
function textOf(tokens, label, random, countTokens) {
  let text = label;
  let count = countTokens(text);
  while (count < tokens) {
    let piece = '';
    for (let word = 0; word < 12; word += 1) {
      piece += ` ${SYLLABLES[Math.floor(random() * 10)]}${SYLLABLES[Math.floor(random() * 10)]}`;
    }
    text += piece;
    count += countTokens(piece);
  }
  return text;
}

/** mulberry32 */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
