import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRequestLayout } from './create-request-layout.js';
import { type Layout, nextBlocks, type Placement } from './layout.js';
import { layoutMessages } from './layout-messages.js';
import type { Stored } from './messages.js';
import type { Capabilities } from './model.js';

const rows: readonly Capabilities[] = [
  { lateNote: 'developer', mergeUserRuns: false, structuredOutput: true },
  { lateNote: 'system', mergeUserRuns: true, structuredOutput: true },
  { lateNote: 'fenced-user', mergeUserRuns: false, structuredOutput: false },
  { lateNote: 'fenced-user', mergeUserRuns: true, structuredOutput: false },
  { lateNote: 'fenced-user', mergeUserRuns: true, structuredOutput: false, transcript: 'completion' },
];

type Step =
  | {
      readonly do: 'turn';
      readonly mood: string;
      readonly sender: string;
      readonly text: string;
      readonly answered: boolean;
      readonly tool: 'none' | 'ran' | 'parked';
    }
  | { readonly do: 'fold'; readonly keep: number }
  | { readonly do: 'replace'; readonly at: number }
  | { readonly do: 'switch'; readonly row: number; readonly placement: Placement };

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('turn' as const),
      mood: fc.constantFrom('', 'calm', 'alert'),
      sender: fc.constantFrom('', '', 'likes jazz', 'likes tea'),
      text: fc.constantFrom('hi', '<<note-1>> x', ''),
      answered: fc.boolean(),
      tool: fc.constantFrom('none' as const, 'ran' as const, 'parked' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fold' as const), keep: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replace' as const), at: fc.nat(20) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('switch' as const),
      row: fc.nat(rows.length - 1),
      placement: fc.constantFrom<Placement>('kept-on-change', 'late', 'leading'),
    }),
  },
);

test('a session laid out step by step gives the bytes that each request laid out alone gives', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 25 }), (session) => {
      let layOut = createRequestLayout();
      const lender = createRequestLayout();
      let turn = 0;
      let [row, placement, history, blocks]: [Capabilities, Placement, readonly Stored[], Layout['blocks']] = [
        rows[3]!,
        'kept-on-change',
        [],
        [],
      ];
      let count = 0;
      const make = (role: Stored['role'], content: string | null, extra: Partial<Stored> = {}): Stored => {
        count += 1;
        return { id: `m${count}`, role, origin: role === 'user' ? 'user' : 'assistant', content, ...extra };
      };
      const compare = (layout: Layout): Layout['blocks'] => {
        const { blocks: said, known: _known, senderLeft, ...request } = layOut(layout, row);
        const left = layout.blocks.filter((block) => block.part === 'sender' && block.before !== layout.current[0].id);
        const there = new Set([...layout.history, ...layout.current].map((message) => message.id));
        expect(senderLeft).toBe(placement === 'kept-on-change' && left.some((block) => there.has(block.before)));
        expect(said).toEqual(nextBlocks(layout));
        expect(JSON.stringify(request)).toBe(JSON.stringify(layoutMessages({ ...layout, blocks: said }, row)));
        turn += 1;
        if (turn % 3 === 0) return said; // lists that are lent and lists that are kept take turns
        const lent = lender(layout, row, { lend: turn % 3 === 1 });
        expect(JSON.stringify(lent.messages)).toBe(JSON.stringify(request.messages));
        return said;
      };
      for (const step of session) {
        if (step.do === 'switch') [row, placement] = [rows[step.row]!, step.placement];
        else if (step.do === 'fold')
          history = [make('user', 'summary', { origin: 'synthetic' }), ...history.slice(-step.keep || history.length)];
        else if (step.do === 'replace') history = history.map((message, at) => (at === step.at ? { ...message } : message));
        else {
          let current: [Stored, ...Stored[]] = [make('user', step.text)];
          const layoutOf = (): Layout => ({
            stable: { system: 'S' },
            tools: [],
            history,
            blocks,
            current,
            volatile: { state: step.mood, sender: step.sender },
            placement,
          });
          blocks = compare(layoutOf());
          if (step.tool !== 'none') {
            const call = { id: `c${count}`, type: 'function' as const, function: { name: 'f', arguments: '{}' } };
            current = [
              ...current,
              make('assistant', null, { tool_calls: [call] }),
              make('tool', 'ok', { tool_call_id: call.id, origin: 'tool' }),
            ];
            // A turn that waited may go on in another process, which knows what was stored and nothing else.
            if (step.tool === 'parked') [layOut, current] = [createRequestLayout(), structuredClone(current)];
            blocks = compare(layoutOf());
          }
          history = [...history, ...current, ...(step.answered ? [make('assistant', 'yes')] : [])];
        }
      }
    }),
    { numRuns: 300 },
  );
});

const message = (id: string): Stored => ({ id, role: 'user', origin: 'user', content: [{ type: 'text', text: id }] });
const layout = (history: readonly Stored[], id = 'now'): Layout => ({
  stable: { system: 'S' },
  tools: [],
  history,
  blocks: [],
  volatile: {},
  current: [message(id)],
});

test('a message that was laid out is frozen with all that is in it', () => {
  const edited = message('a') as unknown as { content: { text: string }[] };
  createRequestLayout()(layout([edited as unknown as Stored]), rows[0]!);
  expect(() => {
    edited.content[0]!.text = 'other';
  }).toThrow(TypeError);
});

test('a message put in the place of another is understood', () => {
  const layOut = createRequestLayout();
  const [a, b, c] = [message('a'), message('b'), message('c')];
  layOut(layout([a, b, c]), rows[0]!);
  const replaced = layOut(layout([a, { ...b, content: 'changed' }, c]), rows[0]!);
  expect(replaced.known).toBe(1);
  expect(replaced.messages[2]).toEqual({ role: 'user', content: 'changed' });
});

test('messages that were known before are shared with the request before', () => {
  const layOut = createRequestLayout();
  const [a, b] = [message('a'), message('b')];
  const first = layOut(layout([a]), rows[0]!);
  const second = layOut(layout([a, b]), rows[0]!);
  expect(second.known).toBe(1);
  expect(second.messages[1]).toBe(first.messages[1]);
  expect(Object.isFrozen(second.messages)).toBe(false);
});

test('a request that fails leaves nothing half done', () => {
  const layOut = createRequestLayout();
  const result: Stored = { id: 't', role: 'tool', origin: 'tool', content: 'x', tool_call_id: 'c' };
  const bad: Layout = { ...layout([]), current: [result], volatile: { state: 'x' } };
  expect(() => layOut(bad, rows[0]!)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  const good = layout([message('a')]);
  expect(layOut(good, rows[0]!).messages).toEqual(layoutMessages(good, rows[0]!).messages);
});

test('notes of a turn that begins with no message of the talk were seen by nobody, and are said again', () => {
  const system: Stored = { id: 'sys', role: 'system', origin: 'synthetic', content: 'An instruction.' };
  const layOut = createRequestLayout();
  const first: Layout = { ...layout([]), current: [system], volatile: { state: 'calm' } };
  const { blocks } = layOut(first, rows[0]!);
  const second: Layout = { ...layout([system, message('a')]), blocks, volatile: { state: 'calm' } };
  const expected = nextBlocks(second);
  expect(expected).toEqual([{ before: 'now', part: 'state', text: 'calm' }]);
  expect(layOut(second, rows[0]!).blocks).toEqual(expected);
});

test('the system prompt is the same message while it says the same, so that a request is known from its first message on', () => {
  const layOut = createRequestLayout();
  const [a, b] = [message('a'), message('b')];
  const first = layOut(layout([a]), rows[0]!).messages;
  expect(layOut(layout([a, b]), rows[0]!).messages[0]).toBe(first[0]);
  const other = layOut({ ...layout([a, b]), stable: { system: 'T' } }, rows[0]!).messages;
  expect([other[0], other[0] === first[0]]).toEqual([{ role: 'system', content: 'T' }, false]);
});

test('a list that is lent has the system prompt of its request, also where it comes, changes or goes', () => {
  const layOut = createRequestLayout();
  const history = [message('a'), message('b')];
  for (const system of ['', 'S', 'T', '', 'S']) {
    const now = { ...layout(history), stable: { system } };
    const { messages } = layOut(now, rows[0]!, { lend: true });
    expect(JSON.stringify(messages)).toBe(JSON.stringify(layoutMessages(now, rows[0]!).messages));
  }
});
