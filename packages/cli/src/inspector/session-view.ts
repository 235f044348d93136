import { beatSlots, type Logged, openMemory, radarData, readFold } from '@x/agentos';
import type { OpenSession } from './open-session.js';

/** Everything that the page shows of a session, but for the prompts, which are asked for turn by turn. */
export async function sessionView(session: OpenSession) {
  const { gmi, dir } = session;
  const inner = await gmi.session();
  const state = await gmi.state();
  const history = await inner.history();
  const question = await session.question();
  const changes: Logged[] = [];
  for await (const entry of inner.operations()) if (isShown(entry)) changes.push(entry);
  const fold = readFold(history.map((message) => ({ ...message })));
  return {
    id: session.id,
    persona: {
      id: gmi.persona.id,
      name: gmi.persona.name,
      elements: (gmi.persona.contextualPromptElements ?? []).map(({ id, type, content }) => ({ id: id ?? type, content })),
    },
    state: {
      mood: state.mood,
      skill: state.skill,
      complexity: state.complexity,
      language: state.language,
      domain: state.domain,
      imprints: state.imprints,
    },
    radar: radarData(gmi.persona.personalityTraits, state.traits).map(({ trait, label, value, baseline, point, guidance }) => ({
      trait,
      label,
      value,
      baseline,
      point,
      guidance,
    })),
    reports: await session.reports(),
    question,
    changes: changes.slice(-200),
    fold: fold && {
      summary: fold.summary,
      revision: fold.revision,
      covered: fold.covered,
      ledger: fold.ledger.map((fact) => ('text' in fact ? String(fact.text) : JSON.stringify(fact))),
    },
    transcript: { now: history.length, original: (await inner.history({ original: true })).length },
    memory: dir === undefined ? undefined : memoryView(dir),
    schedule: nextBeats(gmi.persona.heartbeat),
  };
}

function isShown({ operation, from, to }: Logged): boolean {
  return !('put' in operation) && JSON.stringify(from) !== JSON.stringify(to);
}

function memoryView(dir: string) {
  const memory = openMemory(dir);
  const entries = (['self', 'user'] as const).flatMap((target) => memory.entries({ target }).map((entry) => ({ target, ...entry })));
  return { entries, log: memory.log({ last: 50 }) };
}

/** The next ten beats of a persona that has a heartbeat. */
function nextBeats(config: Parameters<typeof beatSlots>[0] | undefined): readonly number[] {
  if (!config || (config.everyMs === undefined && config.cron === undefined)) return [];
  const slots = beatSlots(config);
  const due: number[] = [];
  const anchor = Date.now();
  for (let at = anchor; due.length < 10; ) {
    const next = slots.next(at, anchor);
    if (next === undefined) break;
    due.push(next);
    at = next;
  }
  return due;
}
