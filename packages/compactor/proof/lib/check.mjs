/** One random conversation through one random compactor, and everything that must hold of what comes out. */
import { createRandom, dice, drawConversation, faultsOf, newestRequest, spoken, write } from './histories.mjs';

const SUMMARIES = {
  good: (older) => `Goal: carry on. ${older.length} messages were about apples and carts.`,
  empty: () => '   ',
  error: () => 'Error: 503 Service Unavailable',
  longer: (older) => `${JSON.stringify(older)} and again ${JSON.stringify(older)}`,
  wrong: () => ({ summary: 'an object of another shape' }),
  throws: () => {
    throw new Error('the model is away');
  },
  unfinished: () => ({ text: 'This summary stops in the mid', finish: 'length' }),
  meddling: (older) => {
    for (const message of older) message.content = 'overwritten';
    older.length = 0;
    return 'A short summary by one who meddles.';
  },
};

/**
 * @param api - `{ compactor, charsOverFour, planCompaction }` of the package, built or source.
 * @returns What happened, for the statistics; `faults` is empty when all holds.
 */
export async function checkOne(api, seed, dialect) {
  const random = createRandom(seed);
  const { below, pick, chance } = dice(random);
  const conversation = drawConversation(random, { sound: chance(0.5) });
  const messages = write(conversation, dialect);
  const before = JSON.stringify(messages);
  const countTokens = chance(0.3) ? api.charsOverFour : undefined;
  const count = countTokens ?? api.estimateTokens;
  const total = count(messages);
  const maxTokens = Math.max(1, Math.floor(total * (0.05 + random() * 1.1)));
  const kind = chance(0.7) ? 'good' : pick(Object.keys(SUMMARIES));
  const overheadTokens = chance(0.5) ? below(Math.ceil(total * 0.3) + 1) : undefined;
  const events = [];
  const maybe = (share, value) => (chance(share) ? value() : undefined);
  const options = {
    maxTokens,
    summarize: SUMMARIES[kind],
    countTokens,
    keepTail: maybe(0.6, () => below(total + 10)),
    windowTokens: maybe(0.3, () => maxTokens + below(total + 1)),
    summarizeWindowTokens: maybe(0.3, () => 1 + below(maxTokens)),
    summaryTokens: maybe(0.3, () => 1 + below(400)),
    ledgerTokens: maybe(0.3, () => below(400)),
    flushToMemory: maybe(0.4, () => true),
    extract: maybe(0.15, () => () => ['note: the door is green']),
    sections: maybe(0.05, () => ['Goal']),
    fallback: maybe(0.2, () => () => 'A fallback summary.'),
    onEvent: (event) => events.push(event),
  };
  const tools = chance(0.5) ? [{ name: 'memory', description: 'Saves notes.', inputSchema: { type: 'object' } }] : [];
  const compact = api.compactor(options);
  const event = { messages, tools, model: 'm', turn: 0, overheadTokens };
  let outcome = await compact.run(event);
  const statuses = [outcome.status];
  const faults = [];
  if (outcome.status === 'reminded') {
    check(outcome, messages);
    outcome = await compact.run({ ...event, messages: [...outcome.messages] });
    statuses.push(outcome.status);
  }
  check(outcome, messages);
  if (JSON.stringify(messages) !== before) faults.push('the list that was given was changed');
  return { faults, statuses, kind, seed, dialect, events };

  function check({ status, messages: output, tokens }, input) {
    const fault = (text) => faults.push(`${status}: ${text}`);
    if (status === 'failed' && !events.some(({ type }) => type === 'fold_failed')) fault('no event tells of the failure');
    if (output === undefined) {
      if (status === 'unchanged' && tokens > maxTokens && outcome.reason === 'fits')
        fault(`${tokens} tokens are said to fit into ${maxTokens}`);
      return;
    }
    for (const one of faultsOf(output, dialect)) fault(one);
    const request = newestRequest(input);
    if (request !== undefined && !output.some((message) => message.role === 'user' && spoken(message) === request))
      fault('the newest request is gone');
    const isTyped = events.some(({ type }) => type === 'over_budget');
    if (status === 'reminded') {
      if (tokens > (options.windowTokens ?? Math.ceil(maxTokens * 1.25))) fault('the reminder does not fit into the window');
    } else if (tokens > maxTokens && !isTyped) fault(`${tokens} tokens, ${maxTokens} allowed, and no reason given`);
    const overhead = overheadTokens ?? tools.length * api.estimateTools(tools);
    const measured = count(output) + overhead;
    if (Math.abs(measured - tokens) > 1) fault(`says ${tokens} tokens, has ${measured}`);
    if (status !== 'reminded' && tokens >= count(input) + overhead + 200) fault('the result is longer');
    const places = output.map((message) => input.indexOf(message)).filter((place) => place >= 0);
    const isMended = events.some(({ type }) => type === 'repaired');
    if (!isMended && places.some((place, index) => index > 0 && place <= places[index - 1])) fault('the order changed');
    if (input[0]?.role === 'system' && !input[0].content.startsWith('[Summary') && output[0] !== input[0]) fault('the system prompt moved');
    if (output.some(({ content }) => content === 'overwritten')) fault('a summariser changed the conversation');
    if (
      output.filter(({ role, content }) => role === 'system' && typeof content === 'string' && content.startsWith('[Summary of')).length >
        0 &&
      status === 'folded'
    )
      fault('a summary stands in a system message');
    const folds = output.filter(({ role, content }) => role === 'user' && typeof content === 'string' && content.startsWith('[Summary of'));
    if (status === 'folded' && folds.length !== 1) fault(`${folds.length} folds`);
  }
}
