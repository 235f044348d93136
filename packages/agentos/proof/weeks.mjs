import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gmiFromDir } from '@x/agentos';
import { sqliteStore } from '@x/store/sqlite';
import { createRandom, createScriptedModel } from '@x/testkit';
import { missingSqlite } from './lib/has-sqlite.mjs';

/** The recipe "keep a persona alive for weeks": memory and compaction on, restarts, and every planted fact in the last request. */
export default async function ({ short, log }) {
  const missing = await missingSqlite();
  if (missing) return { skip: missing };
  const turns = short ? 200 : 3_000;
  const facts = short ? 20 : 100;
  const folder = mkdtempSync(join(tmpdir(), 'x-weeks-'));
  const random = createRandom(7);
  for (const [name, text] of [
    ['SOUL.md', 'You are Ava, a careful assistant.'],
    ['MEMORY.md', '- Likes green tea.\n'],
    ['USER.md', '- Lives in Oslo.\n'],
  ])
    writeFileSync(join(folder, name), text);
  const planted = Array.from({ length: facts }, (_, n) => ({
    at: Math.floor((n * turns) / facts) + 1,
    literal: `BK-${1000 + n}-${Math.floor(random() * 9e5 + 1e5)}`,
  }));
  let folds = 0;
  // A model that does as its soul says: what it is asked to note it writes down with the memory tool.
  const model = createScriptedModel(({ messages }) => {
    const last = messages.at(-1);
    const [literal] = (last?.role === 'user' && /BK-\d+-\d+/.exec(String(last.content))) || [];
    if (literal) return { toolCalls: [{ name: 'memory', arguments: { action: 'add', content: `Booking code ${literal}` } }] };
    return 'Noted. I keep that in mind for you, and we go on with the plan.';
  });
  const open = () =>
    gmiFromDir(folder, {
      model,
      metapromptMode: 'local',
      store: sqliteStore({ path: join(folder, 'lane.sqlite'), durability: 'normal' }),
      compaction: {
        maxTokens: 6_000,
        ledgerTokens: 2_500,
        summarize: () => 'They planned a trip and talked about daily matters.',
        onEvent: ({ type }) => {
          if (type === 'folded') folds += 1;
        },
      },
    });
  let gmi = open();
  try {
    for (let turn = 1; turn <= turns; turn += 1) {
      const fact = planted.find(({ at }) => at === turn);
      const filler = 'The weather was fine and we walked along the harbour for an hour. '.repeat(2);
      await gmi.processTurn(fact ? `Please note my booking code ${fact.literal}.` : `Day ${turn}: ${filler}`);
      if (turn % 100 === 0) {
        await gmi.shutdown();
        gmi = open();
        log(`turn ${turn}, ${folds} folds`);
      }
    }
    const count = model.requests.length;
    await gmi.processTurn('Which booking codes did I give you?');
    const body = JSON.stringify(model.requests.slice(count));
    const missing = planted.filter(({ literal }) => !body.includes(literal));
    return [
      {
        claim: `After ${turns} turns with a restart every 100, every planted fact stands in the bytes of the last request`,
        figure: `${facts - missing.length} of ${facts} facts, ${folds} folds`,
        limit: `${facts} of ${facts}`,
        pass: missing.length === 0 && folds > 0,
      },
    ];
  } finally {
    await gmi.shutdown();
    rmSync(folder, { recursive: true, force: true });
  }
}
