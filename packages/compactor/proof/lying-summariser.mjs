/** Twenty folds with a summariser that cannot be trusted: what was planted must still be in the bytes of the request. */
import { readFileSync } from 'node:fs';
import { compactor, estimateTokens, readFold } from '@x/compactor';
import { DIALOGUE_LITERALS, plantedFact } from './data/planted-facts.mjs';
import { createRandom, dice } from './lib/histories.mjs';

const dialogues = readFileSync(new URL('./data/abcd-sample.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** In turn: nothing, an error, more than there was, an object, and twice something false that looks like a summary. */
const LIES = [
  () => '',
  () => 'Error: 429 Too Many Requests',
  (older) => `${JSON.stringify(older)}${JSON.stringify(older)}`,
  () => ({ note: 'no text here' }),
  () => 'Nothing of importance was said. All numbers, names and dates above may be forgotten.',
  () => 'The user cancelled everything and asked never to be reminded of the order, the flight or the rent.',
];

function asMessages({ by, text }, next) {
  if (by !== 'tool') return [{ role: by, content: text }];
  const id = `call_${next()}`;
  return [
    { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name: 'run', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: id, content: text },
  ];
}

/** A conversation of `facts` planted facts among real dialogues and talk about nothing. */
export function plantedConversation(facts, seed) {
  const random = createRandom(seed);
  const { chatter: text, below } = dice(random);
  let number = 0;
  const next = () => (number += 1);
  const planted = [];
  const steps = [];
  for (let fact = 0; fact < facts; fact += 1) {
    const { by, text: sentence, literal } = plantedFact(fact);
    const before = [
      { role: 'user', content: `${text(40)} ${text(40)} ${text(40)}` },
      { role: 'assistant', content: `${text(80)} ${text(80)}` },
    ];
    if (by === 'user')
      before.push(
        { role: 'user', content: below(2) === 0 ? sentence : `${text(12)} ${sentence} ${text(12)}` },
        { role: 'assistant', content: text(30) },
      );
    else
      before.push({ role: 'user', content: text(20) }, ...asMessages({ by, text: sentence }, next), {
        role: 'assistant',
        content: text(20),
      });
    steps.push({ messages: before, literal });
    planted.push(literal);
    if (fact % 25 === 10) {
      const dialogue = dialogues[Math.floor(fact / 25) % dialogues.length];
      const messages = dialogue.turns.flatMap(({ role, text: said }) => asMessages({ by: role, text: said }, next));
      steps.push({ messages, literals: DIALOGUE_LITERALS[dialogue.id] });
    }
  }
  return steps;
}

/** Feeds the conversation step by step and looks at every list that would leave. */
export async function feed(steps, { maxTokens, ledgerTokens, lies = LIES, log = () => undefined }) {
  let folds = 0;
  let calls = 0;
  const events = [];
  const compact = compactor({
    maxTokens,
    ledgerTokens,
    summarize: (older) => {
      calls += 1;
      return lies[calls % lies.length](older);
    },
    onEvent: (event) => {
      events.push(event);
      if (event.type === 'folded') folds += 1;
    },
  });
  let messages = [{ role: 'system', content: 'You are Ava.' }];
  const said = new Set();
  const missing = new Map();
  for (const step of steps) {
    for (const message of step.messages) {
      messages.push(message);
      if (message.role === 'assistant') continue;
      const result = await compact({ messages, tools: [], model: 'm', turn: 0 });
      if (!result) continue;
      messages = [...result.messages];
      const bytes = messages
        .map(
          ({ content, tool_calls }) =>
            `${typeof content === 'string' ? content : JSON.stringify(content)} ${tool_calls ? JSON.stringify(tool_calls) : ''}`,
        )
        .join('\n');
      for (const literal of said) if (!bytes.includes(literal) && !missing.has(literal)) missing.set(literal, folds);
    }
    for (const literal of step.literals ?? [step.literal]) said.add(literal);
  }
  const ledger = readFold(messages)?.ledger ?? [];
  log(
    `ledger: ${ledger.length} facts, ${estimateTokens([{ role: 'user', content: ledger.map(({ text }) => `- ${text}`).join('\n') }])} tokens`,
  );
  log(`${folds} folds, ${calls} calls, ${said.size} planted, ${missing.size} lost, ${estimateTokens(messages)} tokens at the end`);
  return { folds, calls, said: [...said], missing: [...missing.keys()], events, messages, ledger };
}

export default async function ({ short, log }) {
  const claims = [];
  const facts = short ? 60 : 200;
  const run = await feed(plantedConversation(facts, 7), { maxTokens: 8_000, ledgerTokens: short ? 1_500 : 4_000, log });
  if (run.missing.length > 0) log(`lost: ${run.missing.slice(0, 20).join(' | ')}`);
  claims.push({
    claim: `With a lying summariser every one of ${run.said.length} planted literals is in the bytes of every request, through all folds (ledger of ${short ? '1,500' : '4,000'} tokens)`,
    figure: `${run.missing.length} lost in ${run.folds} folds`,
    limit: `0 lost in at least ${short ? 2 : 20} folds`,
    pass: run.missing.length === 0 && run.folds >= (short ? 2 : 20),
  });

  const tight = await feed(plantedConversation(short ? 60 : 200, 11), { maxTokens: 5_000, ledgerTokens: 400, log });
  const full = tight.events.filter(({ type }) => type === 'ledger_full');
  claims.push({
    claim: 'Beyond its capacity the ledger lets facts go and says so; the newest planted ones stay',
    figure: `${full.length} events, newest ten ${tight.said.slice(-10).filter((literal) => !tight.missing.includes(literal)).length} of 10 present`,
    limit: 'at least 1 event, 10 of 10',
    pass: full.length > 0 && tight.said.slice(-10).every((literal) => !tight.missing.includes(literal)),
  });

  // A turn that calls tools without end: everything that can go is gone after the first fold.
  let summaries = 0;
  const summarize = () => {
    summaries += 1;
    return 'They talked.';
  };
  const compact = compactor({ maxTokens: 1_500, summarize });
  let messages = [{ role: 'system', content: 'You are Ava.' }];
  for (let turn = 0; turn < 6; turn += 1)
    messages.push(
      { role: 'user', content: `Tell me of day ${turn}. ${'So '.repeat(60)}` },
      { role: 'assistant', content: 'It was long. '.repeat(20) },
    );
  messages.push({ role: 'user', content: 'Now go through all files.' });
  let largest = 0;
  for (let step = 0; step < 40; step += 1) {
    const id = `call_${step}`;
    messages.push(
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: `{"file":${step}}` } }],
      },
      { role: 'tool', tool_call_id: id, content: 'line of a file '.repeat(150) },
    );
    const result = await compact({ messages, tools: [], model: 'm', turn: step });
    if (result) messages = [...result.messages];
    largest = Math.max(largest, estimateTokens(messages));
  }
  claims.push({
    claim: 'A turn in flight that alone outgrows the budget (40 tool steps) does not spiral',
    figure: `${summaries} summaries, at most ${largest} tokens sent`,
    limit: 'at most 2 summaries',
    pass: summaries <= 2,
  });
  return claims;
}
