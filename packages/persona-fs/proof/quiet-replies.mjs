/** Ten thousand generated replies, each labelled quiet or alarm by its generator, go through whole heartbeats. */

import { startHeartbeat } from '@x/persona-fs';
import { createVirtualClock } from '@x/testkit';
import { seeded } from './lib/random.mjs';

const TOKENS = [
  'HEARTBEAT_OK',
  'heartbeat_ok',
  'Heartbeat_OK',
  'HEARTBEAT\\_OK',
  'HEARTBEAT-OK',
  'Heartbeat OK',
  'HEARTBEAT_OK_OK',
  'HEARTBEAT_OK_OK_OK',
  'HEARTBEAT_OK HEARTBEAT_OK',
  '\u200bHEARTBEAT_OK',
];
const WRAPS = [
  (t) => t,
  (t) => `**${t}**`,
  (t) => `\`${t}\``,
  (t) => `"${t}"`,
  (t) => `_${t}_`,
  (t) => `${t}.`,
  (t) => `${t}!`,
  (t) => `\n${t}\n\n`,
  (t) => `\`\`\`\n${t}\n\`\`\``,
  (t) => `<p>${t}</p>`,
  (t) => `(${t})`,
  (t) => `${t} 👍`,
  (t) => `{"reply": "${t}"}`,
  (t) => `> ${t}`,
  (t) => `# ${t}`,
  (t) => `- ${t}`,
];
const STOCK = [
  'All quiet.',
  'Nothing to report.',
  'Everything is fine.',
  'There are no pending tasks.',
  'No updates.',
  'I have nothing to report at this time.',
  'No action needed.',
  'Nothing needs attention right now.',
  'Done.',
  'Good morning!',
];
const NARRATION = ['I checked the list; all quiet.', 'Looked at the calendar, nothing before noon.', 'The inbox holds 3 newsletters.', ''];
const THINGS = [
  'the disk is full',
  'your sync with Toronto starts at 15:00',
  'the backup of last night failed',
  'the oven is still on',
  'two invoices are overdue',
  'Bob has not answered since Monday',
  'the certificate ends tomorrow',
  'heute ist die Miete fällig',
  '15時に会議があります',
  'la réunion est déplacée à 9 h',
  'server 3 stopped sending its heartbeat',
  'temperature 41.5 °C in the rack',
  'nothing works any more',
  'there is no power in the cellar',
  'all good things end: your trial is over today',
];
const FRAMES = [
  (t, k) => `${k} but ${t}`,
  (t, k) => `${t}. ${k}`,
  (t, k) => `${k}\n\n${t}`,
  (t, k) => `I will not answer ${k} because ${t}`,
  (t, k) => `Not ${k}: ${t}!`,
  (t) => t,
  (t) => `Reminder: ${t}.`,
  (t) => `**${t}**`,
  (t) => `MY_HEARTBEAT_OK_FLAG is set and ${t}`,
  (t, k) => `All quiet, except: ${t}. ${k}`,
  (t, k) => `${k}? No: ${t}`,
  (t, k) => `Nothing to report. Well, ${t}. ${k}`,
  (t, k) => `\`${k}\` would be wrong, ${t}`,
  (t) => `The token HEARTBEAT_OK does not fit: ${t}`,
  (t) => `⚠️ ${t}`,
  (t, k) => `${t} (${k})`,
  (t) => `All good except that ${t}.`,
  (t) => `I checked the list; ${t}.`,
];

function generate(random) {
  if (random.below(2) === 0) {
    const key = random.pick(TOKENS.slice(0, 3));
    const thing = random.pick(THINGS);
    return { label: 'alarm', thing, text: random.pick(FRAMES)(thing, key) };
  }
  const way = random.below(10);
  if (way === 0) return { label: 'quiet', byTool: true, text: random.pick(NARRATION) };
  if (way === 1) return { label: 'quiet', text: random.pick(['', ' ', '\n\n', '...', '\t']) };
  const token = random.pick(WRAPS)(random.pick(TOKENS));
  if (way < 5) return { label: 'quiet', text: token };
  // The first eight say that there is nothing; the others need the token beside them.
  if (way === 5) return { label: 'quiet', text: random.pick(STOCK.slice(0, 8)) };
  return {
    label: 'quiet',
    text: random.pick([(s) => `${s} ${token}`, (s) => `${token} ${s}`, (s) => `${s}\n\n${token}`])(random.pick(STOCK)),
  };
}

export default async function ({ short, log }) {
  const count = short ? 1_000 : 10_000;
  const random = seeded(3);
  const replies = Array.from({ length: count }, () => generate(random));
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const heard = new Map();
  let index = -1;
  const heartbeat = startHeartbeat({
    everyMs: 60_000,
    clock,
    // Each reply is judged for itself, also where two in a row say the same.
    repeatAfterMs: 0,
    checklist: () => '- look around',
    onBeat: (text) => void heard.set(index, text),
    async runBeat({ tools }) {
      index += 1;
      if (replies[index]?.byTool) await tools[0].execute({}, {});
      return { status: 'done', text: replies[index]?.text ?? '' };
    },
  });
  await clock.advance(60_000 * count);
  await heartbeat.stop();
  log(`${index + 1} beats`);
  let [leaks, swallowed, noise, altered, quiet] = [0, 0, 0, 0, 0];
  for (const [at, { label, text, thing }] of replies.entries()) {
    const told = heard.get(at);
    if (told !== undefined && /(?<![\p{L}\p{N}_])heartbeat\\?_ok(?![\p{L}\p{N}_])/iu.test(told)) leaks += 1;
    if (label === 'quiet') {
      quiet += 1;
      if (told !== undefined) noise += 1;
      if (told !== undefined && noise < 6) log('quiet reply was heard:', JSON.stringify(text));
    } else if (told === undefined) {
      swallowed += 1;
      if (swallowed < 6) log('alarm was swallowed:', JSON.stringify(text));
    } else if (!told.includes(thing)) altered += 1;
  }
  return [
    {
      claim: `${count} replies, ${quiet} quiet and ${count - quiet} alarms: the quiet token is never delivered`,
      figure: `${leaks} leaks, ${noise} quiet replies heard`,
      limit: '0 and 0',
      pass: leaks + noise === 0 && index + 1 >= count,
    },
    {
      claim: 'No alarm is swallowed or changed in its words',
      figure: `${swallowed} swallowed, ${altered} changed`,
      limit: '0 and 0',
      pass: swallowed + altered === 0,
    },
  ];
}
