/** How long a plan takes, against the rule that measures every suffix anew; both count a quarter of the JSON's characters. Times are processor time. */
import { charsOverFour, compactor, createHistoryIndex, planCompaction } from '@x/compactor';

/** Exchanges of four messages about one order each, as long as those of a support desk. */
export function desk(messages) {
  const list = [{ role: 'system', content: 'You are a careful assistant of a shop.' }];
  for (let number = 0; list.length < messages; number += 1) {
    const id = `call_${number}`;
    list.push(
      {
        role: 'user',
        content: `Question ${number}: where is parcel P-${10_000 + number}, which I ordered on the third, and when will it come? It was for my sister and she asks every day whether it left.`,
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: 'find_parcel', arguments: `{"parcel":"P-${10_000 + number}"}` } }],
      },
      {
        role: 'tool',
        tool_call_id: id,
        content: `Parcel P-${10_000 + number} left the depot; the driver has ${number % 90} stops before it. Weight 1.4 kg, paid by card, no signature needed, note for the driver: leave it behind the gate, the dog is friendly.`,
      },
      { role: 'assistant', content: `It is on its way.` },
    );
  }
  return list.slice(0, messages);
}

/**
 * Where the tail starts when every suffix is counted from scratch: walk from the end to the front while what follows fits
 * into `keepTail`, and remember the foremost place where a user speaks. For comparison only.
 */
export function suffixBySuffix(messages, keepTail) {
  let start = -1;
  for (let index = messages.length - 1; index > 0; index -= 1) {
    if (charsOverFour(messages.slice(index)) > keepTail) break;
    if (messages[index].role === 'user') start = index;
  }
  return start;
}

/** Processor time of this process in milliseconds: what else runs on the machine does not count. */
function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

async function timesOf(times, run) {
  const all = [];
  for (let time = 0; time < times; time += 1) {
    globalThis.gc?.();
    const start = processorMs();
    await run();
    all.push(processorMs() - start);
  }
  return all.sort((a, b) => a - b);
}

const fastest = async (times, run) => (await timesOf(times, run))[0];
const usual = async (times, run) => (await timesOf(times, run))[times >> 1];

const ms = (value) => (value < 10 ? value.toFixed(3) : value.toFixed(0));

export default async function ({ short, log }) {
  const claims = [];
  const size = short ? 3_000 : 12_000;
  const messages = desk(size);
  const maxTokens = Math.floor(charsOverFour(messages) / 2);
  const limits = { maxTokens, countTokens: charsOverFour };
  log(`${size} messages, ${maxTokens} tokens allowed`);
  const ours = await fastest(40, () => planCompaction(messages, limits));
  const theirs = await fastest(short ? 1 : 2, () => suffixBySuffix(messages, Math.floor(maxTokens / 2)));
  log(`suffix by suffix ${ms(theirs)} ms, plan ${ms(ours)} ms`);
  if (!short)
    claims.push({
      claim: 'The compared rule takes as long on 12,000 messages as it was reported to (else the ratio means nothing)',
      figure: `${ms(theirs)} ms`,
      limit: '1,000 to 9,000 ms',
      pass: theirs >= 1_000 && theirs <= 9_000,
    });
  claims.push({
    claim: `A plan for ${size.toLocaleString('en')} messages, counts included, is far faster than measuring every suffix`,
    figure: `${(theirs / ours).toFixed(0)} times (${ms(ours)} ms)`,
    limit: short ? 'at least 20 times' : 'at least 200 times',
    pass: theirs / ours >= (short ? 20 : 200),
  });

  let folded;
  const whole = await fastest(7, async () => {
    folded = await compactor({ maxTokens, countTokens: charsOverFour, summarize: () => 'Parcels were asked for.' })({
      messages,
      tools: [],
      model: 'm',
      turn: 0,
    });
  });
  if (!folded) throw new Error('the compactor did not fold');
  claims.push({
    claim: 'The whole fold with its ledger, but for the summariser, is also far faster than the compared split alone',
    figure: `${(theirs / whole).toFixed(0)} times (${ms(whole)} ms)`,
    limit: short ? 'at least 2 times' : 'at least 10 times',
    pass: theirs / whole >= (short ? 2 : 10),
  });

  const many = short ? 20_000 : 100_000;
  const few = desk(many / 10);
  const lots = desk(many);
  const halfOf = (list) => ({ maxTokens: Math.floor(charsOverFour(list) / 2) });
  const [fewLimits, lotsLimits] = [halfOf(few), halfOf(lots)];
  const small = await usual(15, () => planCompaction(few, fewLimits));
  const large = await usual(15, () => planCompaction(lots, lotsLimits));
  claims.push({
    claim: `${many.toLocaleString('en')} messages cost no more than ten times of ${(many / 10).toLocaleString('en')} (default estimate, median of 15)`,
    figure: `${(large / small).toFixed(1)} times (${ms(large)} and ${ms(small)} ms)`,
    limit: 'at most 10 times',
    pass: large / small <= 10,
  });

  const index = createHistoryIndex((message) => charsOverFour([message]));
  planCompaction(messages, limits, index);
  const grown = [...messages];
  const times = [];
  for (let step = 0; step < 200; step += 1) {
    grown.push({ role: step % 2 === 0 ? 'user' : 'assistant', content: `One more line, number ${step}.` });
    const list = [...grown];
    const start = processorMs();
    planCompaction(list, limits, index);
    times.push(processorMs() - start);
  }
  times.sort((a, b) => a - b);
  const median = times[times.length >> 1];
  claims.push({
    claim: `After one more message a new plan for ${size.toLocaleString('en')} costs little (counts kept by message; median of 200)`,
    figure: `${median.toFixed(3)} ms (99 %: ${times[Math.floor(times.length * 0.99)].toFixed(3)} ms)`,
    limit: 'at most 0.5 ms',
    pass: median <= 0.5,
  });
  return claims;
}
