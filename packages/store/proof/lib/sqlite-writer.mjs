/**
 * Writes a scripted session into a SQLite store and says after each commit that it is kept, until it is killed.
 * `node sqlite-writer.mjs <path> <turns>`; first prints what it found: one line of JSON.
 */
import { writeSync } from 'node:fs';
import { sqliteStore } from '@x/store/sqlite';
import { look, SCOPE, turnOf } from './scripted-session.mjs';

const [path, turns] = process.argv.slice(2);
const store = sqliteStore({ path });
const lane = await store.open(SCOPE);
const found = await look(lane);
writeSync(1, `${JSON.stringify(found)}\n`);
for (let index = found.revision; index < Number(turns); index += 1) {
  await lane.commit(turnOf(index, await lane.load('main')));
  writeSync(1, `${index + 1}\n`);
}
await store.close();
