import { AgentosError, createId, type Json, type LaneScope, laneKey } from '@x/core';
import { expect } from 'vitest';
import type { Delivery, EngineEvent, RunningEngine, TurnEngine, TurnHandler } from '../src/engine/turn-engine.js';

/** What a case of the contract asks for: small limits, so that it ends soon. */
export interface EngineNeeds {
  readonly handle: TurnHandler;
  readonly onEvent: (event: EngineEvent) => void;
  readonly turnTimeoutMs?: number | undefined;
  readonly maxAttempts?: number | undefined;
  readonly onBlocked?: 'release' | 'hold' | undefined;
}

/** An engine under test, and its time. */
export interface EngineUnderTest {
  readonly engine: RunningEngine;
  now(): number;
  /** Lets time pass until the condition holds. */
  until(condition: () => boolean | Promise<boolean>): Promise<void>;
  close(): Promise<void>;
}

export interface EngineCase {
  readonly title: string;
  run(create: (needs: EngineNeeds) => Promise<EngineUnderTest>): Promise<void>;
}

class Passing extends AgentosError {
  override readonly name = 'Passing';
  readonly code = 'passing';
  readonly retryable = true;
}

const scope = (session: string): LaneScope => ({ persona: 'ava', user: 'u', session });
const ANNA = scope('anna');

interface Stage extends EngineUnderTest {
  readonly events: EngineEvent[];
  readonly seen: (type: EngineEvent['type']) => readonly string[];
}

/** Runs a case with its own engine, and closes it whatever happens. */
function engineCase(
  title: string,
  needs: Omit<EngineNeeds, 'handle' | 'onEvent'> & { readonly handle: TurnHandler },
  body: (stage: Stage) => Promise<void>,
): EngineCase {
  return {
    title,
    async run(create) {
      const events: EngineEvent[] = [];
      const under = await create({ ...needs, onEvent: (event) => events.push(event) });
      const seen = (type: EngineEvent['type']): readonly string[] =>
        events.flatMap((event) => (event.type === type && 'id' in event ? [event.id] : []));
      try {
        await body({ ...under, events, seen });
      } finally {
        await under.close();
      }
    },
  };
}

/** A commit by which a turn leaves a mark in its lane. */
async function commitTurn(engine: TurnEngine, delivery: Delivery, says = delivery.id): Promise<void> {
  const { store } = await engine.fence(delivery);
  const lane = await store.open(delivery.scope);
  const { revision, events } = await lane.load('main');
  await lane.commit({
    revision,
    turn: delivery.id,
    operations: [],
    events,
    batches: { add: [], done: [] },
    conversation: { id: 'main', append: [{ id: createId('m'), role: 'user', content: says, origin: 'user' }], blocks: [], stableHash: '' },
  });
}

/** What a lane's transcript says. */
async function transcript(engine: TurnEngine, target: LaneScope): Promise<readonly Json[]> {
  const delivery = { queue: 'turns', scope: target, lane: laneKey(target), id: 'reader', input: null, attempt: 1, token: 0 } as const;
  const { store } = await engine.fence({ ...delivery, signal: new AbortController().signal });
  return (await (await store.open(target)).load('main')).history.map(({ content }) => String(content));
}

/** A promise that a case settles when it wants to. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** @param shortMs - A time that is short, and in which the engine under test still can do a turn on a slow machine. */
export function engineContract(shortMs: number): readonly EngineCase[] {
  const cases: EngineCase[] = [];

  {
    const running = new Map<string, number>();
    let overlaps = 0;
    const handle: TurnHandler = async (delivery, engine) => {
      overlaps += running.get(delivery.lane) ?? 0;
      running.set(delivery.lane, (running.get(delivery.lane) ?? 0) + 1);
      await commitTurn(engine, delivery);
      running.set(delivery.lane, (running.get(delivery.lane) ?? 1) - 1);
    };
    cases.push(
      engineCase('turns of a lane run one at a time, in order, each once', { handle }, async ({ engine, until, seen }) => {
        for (let n = 0; n < 5; n += 1)
          for (const session of ['a', 'b', 'c']) {
            const turn = { scope: scope(session), id: `${session}${n}`, input: { n } };
            expect(await engine.enqueueTurn(turn)).toEqual({ accepted: true });
            expect(await engine.enqueueTurn(turn)).toEqual({ accepted: false });
          }
        await until(() => seen('turn_done').length === 15);
        for (const session of ['a', 'b', 'c'])
          expect(await transcript(engine, scope(session))).toEqual([0, 1, 2, 3, 4].map((n) => `${session}${n}`));
        expect(overlaps).toBe(0);
        expect(await engine.enqueueTurn({ scope: scope('a'), id: 'a0', input: null })).toEqual({ accepted: false });
      }),
    );
  }

  {
    const tries: string[] = [];
    const handle: TurnHandler = async (delivery, engine) => {
      tries.push(`${delivery.id}:${delivery.attempt}`);
      if (delivery.id === 'bad') throw new Error('never works');
      if (delivery.id === 'passing' && delivery.attempt < 3) throw new Passing('not yet');
      await commitTurn(engine, delivery);
    };
    cases.push(
      engineCase('what fails for good is an outcome, what may pass is tried again, and the lane goes on', { handle }, async (stage) => {
        for (const id of ['bad', 'passing', 'good']) await stage.engine.enqueueTurn({ scope: ANNA, id, input: null });
        await stage.until(() => stage.seen('turn_done').length === 2);
        expect(tries).toEqual(['bad:1', 'passing:1', 'passing:2', 'passing:3', 'good:1']);
        expect(stage.events.flatMap((event) => (event.type === 'turn_failed' ? [[event.id, event.code]] : []))).toEqual([
          ['bad', 'unknown'],
        ]);
        expect(await transcript(stage.engine, ANNA)).toEqual(['passing', 'good']);
        expect(await stage.engine.listBlocked()).toEqual([]);
      }),
    );
  }

  {
    const late = gate();
    const ended: string[] = [];
    const tokens: number[] = [];
    const handle: TurnHandler = async (delivery, engine) => {
      tokens.push(delivery.token);
      if (delivery.attempt === 1 && delivery.id === 'slow') {
        await late.opened;
        expect(delivery.signal.aborted).toBe(true);
        const { check } = await engine.fence(delivery);
        await expect(check()).rejects.toMatchObject({ code: 'fence_stale' });
        await expect(commitTurn(engine, delivery, 'too late')).rejects.toMatchObject({ code: 'fence_stale' });
        await expect(engine.journalStep(delivery, { id: 's', kind: 'other', repeat: 'once' }, async () => 1)).rejects.toMatchObject({
          code: 'fence_stale',
        });
        ended.push('refused');
        return;
      }
      await commitTurn(engine, delivery);
    };
    cases.push(
      engineCase(
        'a worker that goes on after its lease changes nothing',
        { handle, turnTimeoutMs: shortMs },
        async ({ engine, until, seen }) => {
          await engine.enqueueTurn({ scope: ANNA, id: 'slow', input: null });
          await engine.enqueueTurn({ scope: ANNA, id: 'next', input: null });
          await until(() => seen('turn_done').length === 2);
          late.open();
          await until(() => ended.length === 1);
          expect(await transcript(engine, ANNA)).toEqual(['slow', 'next']);
          expect([...tokens].sort((a, b) => a - b)).toEqual(tokens);
          expect(new Set(tokens).size).toBe(3);
        },
      ),
    );
  }

  {
    const ran: string[] = [];
    const keys: string[] = [];
    const outcomes: Json[] = [];
    const [never, begun] = [gate(), gate()];
    let cut = 0;
    const handle: TurnHandler = async (delivery, engine) => {
      const step = (id: string, repeat: 'idempotent' | 'keyed' | 'once', interrupted = false) =>
        engine.journalStep(delivery, { id, kind: 'tool', repeat, request: { id } }, async ({ key }) => {
          ran.push(`${id}:${delivery.attempt}`);
          if (repeat === 'keyed') keys.push(key);
          if (interrupted) {
            cut += 1;
            if (cut === 3) begun.open();
            await never.opened;
          }
          return { id };
        });
      await step('done', 'once');
      if (delivery.attempt === 1) {
        for (const [id, repeat] of [
          ['cut-once', 'once'],
          ['cut-keyed', 'keyed'],
          ['cut-idem', 'idempotent'],
        ] as const)
          step(id, repeat, true).catch(() => {});
        await begun.opened;
        throw new Passing('cut in the middle of three steps');
      }
      for (const [id, repeat] of [
        ['done', 'once'],
        ['cut-once', 'once'],
        ['cut-keyed', 'keyed'],
        ['cut-idem', 'idempotent'],
      ] as const) {
        const outcome = await step(id, repeat);
        outcomes.push(outcome.outcome === 'done' ? [id, outcome.result, outcome.replayed] : [id, outcome.outcome]);
      }
      await expect(
        engine.journalStep(delivery, { id: 'done', kind: 'tool', repeat: 'once', request: 'another' }, async () => null),
      ).rejects.toMatchObject({ code: 'step_changed' });
      await commitTurn(engine, delivery);
    };
    cases.push(
      engineCase('steps are done once, by what they say of themselves', { handle }, async ({ engine, until, seen }) => {
        await engine.enqueueTurn({ scope: ANNA, id: 't', input: null });
        await until(() => seen('turn_done').length === 1);
        expect([...ran].sort()).toEqual(['cut-idem:1', 'cut-idem:2', 'cut-keyed:1', 'cut-keyed:2', 'cut-once:1', 'done:1']);
        expect(keys[0]).toBe(keys[1]);
        expect(outcomes).toEqual([
          ['done', { id: 'done' }, true],
          ['cut-once', 'unknown'],
          ['cut-keyed', { id: 'cut-keyed' }, false],
          ['cut-idem', { id: 'cut-idem' }, false],
        ]);
      }),
    );
  }

  {
    const handle: TurnHandler = (delivery, engine) => commitTurn(engine, delivery);
    cases.push(
      engineCase('a timed turn comes when it is due, once per key', { handle }, async ({ engine, now, until, seen }) => {
        const turn = (id: string) => ({ scope: ANNA, id, input: null });
        await engine.schedule({ key: 'hb', atMs: now() + 60_000_000, turn: turn('far') });
        await engine.schedule({ key: 'hb', atMs: now() + shortMs, turn: turn('soon') });
        await engine.schedule({ key: 'other', atMs: now() + shortMs, turn: turn('cancelled') });
        expect(await engine.cancel({ key: 'other' })).toBe(true);
        expect(await engine.cancel({ key: 'other' })).toBe(false);
        await engine.enqueueTurn(turn('first'));
        await until(() => seen('turn_done').length === 2);
        expect(await transcript(engine, ANNA)).toEqual(['first', 'soon']);
      }),
    );
  }

  {
    const started = gate();
    const stay = gate();
    const handle: TurnHandler = async (delivery, engine) => {
      if (delivery.id === 'running') {
        started.open();
        await stay.opened;
        await expect(commitTurn(engine, delivery)).rejects.toMatchObject({ code: 'fence_stale' });
        return;
      }
      await commitTurn(engine, delivery);
    };
    cases.push(
      engineCase('a turn that is cancelled leaves nothing, waiting or running', { handle }, async ({ engine, until, seen }) => {
        for (const id of ['running', 'waiting', 'last']) await engine.enqueueTurn({ scope: ANNA, id, input: null });
        await started.opened;
        expect(await engine.cancel({ scope: ANNA, id: 'waiting' })).toBe(true);
        expect(await engine.cancel({ scope: ANNA, id: 'running' })).toBe(true);
        expect(await engine.cancel({ scope: ANNA, id: 'nobody' })).toBe(false);
        await until(() => seen('turn_done').includes('last'));
        stay.open();
        await until(() => seen('turn_superseded').includes('running') || seen('turn_done').includes('running'));
        expect(await transcript(engine, ANNA)).toEqual(['last']);
      }),
    );
  }

  for (const onBlocked of ['hold', 'release'] as const) {
    const never = gate();
    const handle: TurnHandler = async (delivery, engine) => {
      if (delivery.id === 'poison') await never.opened;
      await commitTurn(engine, delivery);
    };
    const title =
      onBlocked === 'hold'
        ? 'a lane that is held waits until its turn is cancelled'
        : 'a turn that uses up its attempts lets its lane go on';
    cases.push(
      engineCase(title, { handle, turnTimeoutMs: shortMs, maxAttempts: 2, onBlocked }, async ({ engine, until, seen, events }) => {
        for (const id of ['poison', 'after']) await engine.enqueueTurn({ scope: ANNA, id, input: null });
        if (onBlocked === 'hold') {
          await until(async () => (await engine.listBlocked()).length === 1);
          expect(await engine.listBlocked()).toEqual([{ queue: 'turns', lane: laneKey(ANNA), id: 'poison', attempts: 2 }]);
          expect(seen('turn_done')).toEqual([]);
          expect(await engine.cancel({ scope: ANNA, id: 'poison' })).toBe(true);
        }
        await until(() => seen('turn_done').includes('after'));
        expect(await engine.listBlocked()).toEqual([]);
        const failed = events.flatMap((event) => (event.type === 'turn_failed' ? [[event.id, event.code]] : []));
        expect(failed).toEqual(onBlocked === 'hold' ? [] : [['poison', 'attempts_exhausted']]);
        never.open();
      }),
    );
  }

  {
    const first = gate();
    const order: string[] = [];
    const handle: TurnHandler = async (delivery) => {
      order.push(`${delivery.queue}:${delivery.id}`);
      if (delivery.queue === 'batches' && delivery.id === 'one') await first.opened;
    };
    cases.push(
      engineCase('batches of a lane run in order among themselves, beside its turns', { handle }, async ({ engine, until, seen }) => {
        for (const id of ['one', 'two']) await engine.enqueueTurn({ scope: ANNA, id, input: null, queue: 'batches' });
        await engine.enqueueTurn({ scope: ANNA, id: 'one', input: null });
        await until(() => seen('turn_done').length === 1);
        first.open();
        await until(() => seen('turn_done').length === 3);
        expect(order.filter((entry) => entry.startsWith('batches'))).toEqual(['batches:one', 'batches:two']);
      }),
    );
  }

  return cases;
}
