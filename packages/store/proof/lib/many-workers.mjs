/**
 * Runs on Node 22: agents × turns over two worker processes on one PostgreSQL, with kills, pauses past the lease and duplicate
 * deliveries. Prints one line of JSON. `node many-workers.mjs drive '<settings>'`; it starts itself as workers.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { journaledTools } from '@x/store';
import { pgBossEngine } from '@x/store/pg-boss';
import { postgresStore } from '@x/store/postgres';
import pg from 'pg';

const [role, json] = process.argv.slice(2);
const settings = JSON.parse(json);
const { url, schema, bossSchema, agents, turns, kills, pauses, pauseMs } = settings;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const scopeOf = (agent) => ({ persona: 'p', user: `u${agent}`, session: 's' });
const engineOf = (handle) =>
  pgBossEngine({
    store: postgresStore({ connectionString: url, schema }),
    connectionString: url,
    schema: bossSchema,
    workers: 8,
    maxAttempts: 10,
    ...(handle && { handle }),
    onEvent: (event) => {
      if (event.type === 'turn_failed' || event.type === 'engine_error')
        process.stderr.write(`${JSON.stringify({ ...event, error: String(event.error?.stack ?? event.error) })}\n`);
    },
  });

/** A turn: what it does outside leaves a row that no transaction takes back. */
function worker(pool) {
  return async (delivery, engine) => {
    const { lane, id, attempt, token } = delivery;
    const { rows } = await pool.query(
      `INSERT INTO ${schema}.proof_run (lane, turn, attempt, token, pid, began) VALUES ($1, $2, $3, $4, $5, clock_timestamp()) RETURNING n`,
      [lane, id, attempt, token, process.pid],
    );
    const tools = ['once', 'keyed', 'idempotent'].map((repeat) => ({
      name: repeat,
      description: '',
      inputSchema: {},
      repeat,
      async execute(_args, { key }) {
        await pool.query(`INSERT INTO ${schema}.proof_effect (lane, turn, tool, key, pid) VALUES ($1, $2, $3, $4, $5)`, [
          lane,
          id,
          repeat,
          key,
          process.pid,
        ]);
        await pause(20 + Math.random() * 80);
        return { output: `${repeat} done` };
      },
    }));
    const outcomes = [];
    for (const tool of journaledTools(engine, delivery, tools))
      outcomes.push((await tool.execute({}, { callId: `call-${tool.name}` })).metadata?.outcome ?? 'done');
    const { store } = await engine.fence(delivery);
    const opened = await store.open(delivery.scope);
    const { revision, events } = await opened.load('main');
    await opened.commit({
      revision,
      turn: id,
      operations: [
        {
          id: `${id}-op`,
          operation: { put: 'count', value: revision + 1 },
          by: 'proof',
          why: 'a turn',
          from: null,
          to: revision + 1,
          turn: id,
          atMs: Date.now(),
        },
      ],
      events,
      batches: { add: [], done: [] },
      conversation: { id: 'main', append: [{ id, role: 'user', content: outcomes.join(), origin: 'user' }], blocks: [], stableHash: '' },
    });
    await pool.query(`UPDATE ${schema}.proof_run SET ended = clock_timestamp() WHERE n = $1`, [rows[0].n]);
  };
}

async function work() {
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  pool.on('error', () => {});
  await engineOf(worker(pool));
  process.stdout.write('ready\n');
  // Nobody is left to end it once the driver is gone.
  process.stdin.resume().on('close', () => process.exit());
  await new Promise(() => {});
}

async function startWorker() {
  const child = spawn(process.execPath, [process.argv[1], 'work', json], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  await new Promise((done, fail) => {
    lines.once('line', done);
    child.once('exit', (code) => fail(new Error(`a worker ended with ${code}`)));
  });
  child.removeAllListeners('exit');
  return child;
}

async function drive() {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  const store = postgresStore({ pool, schema });
  await store.takeFence({ directory: 'makes the tables' });
  await pool.query(
    `CREATE TABLE ${schema}.proof_run (n serial PRIMARY KEY, lane text, turn text, attempt int, token int, pid int, began timestamptz, ended timestamptz)`,
  );
  await pool.query(`CREATE TABLE ${schema}.proof_effect (n serial PRIMARY KEY, lane text, turn text, tool text, key text, pid int)`);
  // When a turn was kept, written by the commit itself, and under which lease.
  await pool.query(`CREATE TABLE ${schema}.proof_kept (lane text, turn text, token int, kept timestamptz)`);
  await pool.query(`CREATE FUNCTION ${schema}.note_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO ${schema}.proof_kept SELECT key, NEW.id, fence, clock_timestamp() FROM ${schema}.lane WHERE id = NEW.lane; RETURN NEW; END $$`);
  await pool.query(`CREATE TRIGGER note_kept AFTER INSERT ON ${schema}.turn FOR EACH ROW EXECUTE FUNCTION ${schema}.note_kept()`);
  const producer = await engineOf();
  const children = await Promise.all([startWorker(), startWorker()]);
  const count = async (sql) => Number((await pool.query(sql)).rows[0].count);
  const committed = () => count(`SELECT count(*) FROM ${schema}.turn`);

  let accepted = 0;
  let refused = 0;
  let retried = 0;
  const enqueue = async (agent, turn) => {
    for (let tries = 1; ; tries += 1) {
      try {
        const { accepted: taken } = await producer.enqueueTurn({ scope: scopeOf(agent), id: `${agent}-${turn}`, input: { agent, turn } });
        if (taken) accepted += 1;
        else refused += 1;
        return;
      } catch (error) {
        // What may pass is tried again, as a host would: the id makes that safe.
        if (!error.retryable || tries >= 20) throw error;
        retried += 1;
      }
    }
  };
  const began = Date.now();
  const producing = Promise.all(
    Array.from({ length: agents }, async (_, agent) => {
      for (let turn = 0; turn < turns; turn += 1) {
        await Promise.all([enqueue(agent, turn), enqueue(agent, turn)]);
        if (Math.random() < 0.2) await enqueue(agent, Math.floor(Math.random() * (turn + 1)));
      }
    }),
  );

  const total = agents * turns;
  const hits = [];
  const acts = [...Array(kills).fill('kill'), ...Array(pauses).fill('pause')].sort(() => Math.random() - 0.5);
  for (const [index, act] of acts.entries()) {
    // Spread over the run: the next one comes when its share of the turns is done.
    const share = (total * (index + 0.5)) / (acts.length + 1);
    while ((await committed()) < share) await pause(100);
    const place = index % 2;
    const child = children[place];
    const { rows } = await pool.query(`SELECT lane, turn FROM ${schema}.proof_run WHERE pid = $1 AND ended IS NULL`, [child.pid]);
    child.kill(act === 'kill' ? 'SIGKILL' : 'SIGSTOP');
    const at = (await pool.query('SELECT clock_timestamp() AS at')).rows[0].at;
    hits.push({ act, pid: child.pid, at, running: rows.length });
    if (act === 'kill') {
      await new Promise((done) => child.once('exit', done));
      children[place] = await startWorker();
    } else {
      await pause(pauseMs);
      child.kill('SIGCONT');
    }
  }
  await producing;
  const endMs = Date.now() + 300_000;
  while ((await committed()) < total && Date.now() < endMs) await pause(200);
  const seconds = (Date.now() - began) / 1000;
  // What a paused worker still wants to write, it may try now.
  await pause(3000);

  let lost = 0;
  let doubled = 0;
  let disorder = 0;
  for (let agent = 0; agent < agents; agent += 1) {
    const { history, state } = await (await store.open(scopeOf(agent))).load('main');
    const ids = history.map(({ id }) => id);
    const wanted = Array.from({ length: turns }, (_, turn) => `${agent}-${turn}`);
    lost += wanted.filter((id) => !ids.includes(id)).length;
    doubled += ids.length - new Set(ids).size;
    if (ids.filter((id) => wanted.includes(id)).join() !== wanted.filter((id) => ids.includes(id)).join()) disorder += 1;
    if (state.values.count !== ids.length) disorder += 1;
  }
  const kept = `(SELECT DISTINCT ON (r.lane, r.turn) r.n, r.lane, r.turn, r.began, k.kept FROM ${schema}.proof_kept k
    JOIN ${schema}.proof_run r ON r.lane = k.lane AND r.turn = k.turn AND r.token = k.token AND r.began < k.kept
    ORDER BY r.lane, r.turn, r.n DESC)`;
  const runs = await count(`SELECT count(*) FROM ${kept} a`);
  const overlaps = await count(
    `SELECT count(*) FROM ${kept} a JOIN ${kept} b ON a.lane = b.lane AND a.n < b.n AND a.began < b.kept AND b.began < a.kept`,
  );
  const bothKept = await count(`SELECT count(*) FROM (SELECT 1 FROM ${schema}.proof_kept GROUP BY lane, turn HAVING count(*) > 1) x`);
  const repeatedOnce = await count(
    `SELECT count(*) FROM (SELECT 1 FROM ${schema}.proof_effect WHERE tool = 'once' GROUP BY lane, turn HAVING count(*) > 1) x`,
  );
  const doneOnce = await count(`SELECT count(*) FROM ${schema}.proof_effect WHERE tool = 'once'`);
  const keys = await count(
    `SELECT count(*) FROM (SELECT 1 FROM ${schema}.proof_effect WHERE tool = 'keyed' GROUP BY lane, turn HAVING count(DISTINCT key) > 1) x`,
  );
  const redone = await count(
    `SELECT count(*) - count(DISTINCT (lane, turn)) AS count FROM ${schema}.proof_effect WHERE tool <> 'once' AND tool = 'idempotent'`,
  );
  const takeovers = [];
  for (const { pid, at } of hits) {
    const { rows } = await pool.query(
      `SELECT extract(epoch FROM min(b.began) - $2::timestamptz) AS seconds FROM ${schema}.proof_run a
       JOIN ${schema}.proof_run b ON b.lane = a.lane AND b.turn = a.turn AND b.n > a.n AND b.began > $2
       WHERE a.pid = $1 AND a.began <= $2 AND (a.ended IS NULL OR a.ended > $2) GROUP BY a.n`,
      [pid, at],
    );
    takeovers.push(...rows.map((row) => Number(row.seconds)));
  }
  const attempts = await count(`SELECT count(*) FROM ${schema}.proof_run`);
  const blocked = (await producer.listBlocked()).length;
  for (const child of children) child.kill('SIGKILL');
  await producer.close({ timeoutMs: 1000 });
  for (const name of [schema, bossSchema]) await pool.query(`DROP SCHEMA ${name} CASCADE`);
  await pool.end();
  const found = {
    total,
    accepted,
    refused,
    retried,
    seconds,
    lost,
    doubled,
    disorder,
    runs,
    overlaps,
    bothKept,
    repeatedOnce,
    doneOnce,
    keys,
    redone,
    attempts,
    blocked,
  };
  process.stdout.write(`${JSON.stringify({ ...found, hits, takeovers })}\n`);
  process.exit();
}

if (role === 'work') await work();
else {
  if (schema === undefined) {
    const suffix = randomBytes(4).toString('hex');
    const child = spawn(
      process.execPath,
      [process.argv[1], 'drive', JSON.stringify({ ...settings, schema: `proof_${suffix}`, bossSchema: `proof_boss_${suffix}` })],
      {
        stdio: 'inherit',
      },
    );
    process.exitCode = await new Promise((done) => child.once('exit', done));
  } else await drive();
}
