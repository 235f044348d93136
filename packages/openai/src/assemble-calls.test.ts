import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CallPiece, createCallAssembler } from './assemble-calls.js';

const NEEDS = new Set(['get_weather', 'get_time']);
function assemble(...pieces: readonly CallPiece[]): readonly (readonly string[])[] {
  let made = 0;
  const createId = (): string => {
    made += 1;
    return `new-${made}`;
  };
  const assembler = createCallAssembler({ createId, needsArguments: (name) => NEEDS.has(name), known: NEEDS });
  for (const piece of pieces) assembler.add(piece);
  return assembler
    .finish()
    .map(({ call, unparseable }) => [call.id, call.function.name, call.function.arguments, ...(unparseable ? [unparseable] : [])]);
}

test('pieces of parallel calls are kept apart by their labels', () => {
  expect(
    assemble(
      { index: 0, id: 'a', name: 'get_weather', arguments: '' },
      { index: 1, id: 'b', name: 'get_time', arguments: '' },
      { index: 0, arguments: '{"city":' },
      { index: 1, arguments: '{"zone":"x"}' },
      { index: 0, arguments: '"y"}' },
    ),
  ).toEqual([
    ['a', 'get_weather', '{"city":"y"}'],
    ['b', 'get_time', '{"zone":"x"}'],
  ]);
});

test('an index that starts at 1 is a label like any other (FR-198)', () => {
  expect(assemble({ index: 1, id: 'a', name: 'get_time', arguments: '{' }, { index: 1, arguments: '}' })).toEqual([
    ['a', 'get_time', '{}'],
  ]);
});

test('an empty id is none and overwrites nothing (FR-199)', () => {
  expect(assemble({ index: 0, id: 'c1', name: 'get_time', arguments: '{"zo' }, { index: 0, id: '', arguments: 'ne":1}' })).toEqual([
    ['c1', 'get_time', '{"zone":1}'],
  ]);
});

test('text under the label of a finished call belongs to the open one (FR-197)', () => {
  expect(
    assemble(
      { index: 0, id: 'a', name: 'get_weather', arguments: '{"city":"y"}' },
      { index: 1, id: 'b', name: 'get_time' },
      { index: 0, arguments: '{"zone":' },
      { index: 0, arguments: '"x"}' },
    ),
  ).toEqual([
    ['a', 'get_weather', '{"city":"y"}'],
    ['b', 'get_time', '{"zone":"x"}'],
  ]);
});

test('when nobody can tell whose arguments they are, neither call runs (FR-197)', () => {
  const problem = expect.stringMatching(/which of several calls/);
  expect(
    assemble({ index: 0, id: 'a', name: 'get_weather' }, { index: 1, id: 'b', name: 'get_time' }, { index: 0, arguments: '{"city":"y"}' }),
  ).toEqual([
    ['a', 'get_weather', '{"city":"y"}', problem],
    ['b', 'get_time', '', problem],
  ]);
});

test('it can be told when only one of them needs arguments', () => {
  expect(
    assemble({ index: 0, id: 'a', name: 'get_weather' }, { index: 1, id: 'b', name: 'list' }, { index: 0, arguments: '{"city":"y"}' }),
  ).toEqual([
    ['a', 'get_weather', '{"city":"y"}'],
    ['b', 'list', '{}'],
  ]);
  expect(
    assemble({ index: 0, id: 'a', name: 'list' }, { index: 1, id: 'b', name: 'get_time' }, { index: 0, arguments: '{"zone":"x"}' }),
  ).toEqual([
    ['a', 'list', '{}'],
    ['b', 'get_time', '{"zone":"x"}'],
  ]);
});

test('calls under one label with ids of their own are several calls', () => {
  expect(
    assemble(
      { index: 0, id: 'a', name: 'get_weather', arguments: '{"city":"y"}' },
      { index: 0, id: 'b', name: 'get_weather', arguments: '{"city":"z"}' },
    ).map(([id]) => id),
  ).toEqual(['a', 'b']);
});

test('calls without any id get new ones, also under one label and without labels', () => {
  const two: CallPiece[] = [
    { name: 'get_weather', arguments: '{"city":"y"}' },
    { name: 'get_weather', arguments: '{"city":"z"}' },
  ];
  const expected = [
    ['new-1', 'get_weather', '{"city":"y"}'],
    ['new-2', 'get_weather', '{"city":"z"}'],
  ];
  expect(assemble(...two)).toEqual(expected);
  expect(assemble(...two.map((piece) => ({ ...piece, index: 0, id: '' })))).toEqual(expected);
});

test('one id for two calls: the second gets a new one', () => {
  expect(
    assemble(
      { index: 0, id: 'same', name: 'get_weather', arguments: '' },
      { index: 0, arguments: '{"city":"y"}' },
      { index: 1, id: 'same', name: 'get_time', arguments: '' },
      { index: 1, arguments: '{"zone":"x"}' },
    ),
  ).toEqual([
    ['same', 'get_weather', '{"city":"y"}'],
    ['new-1', 'get_time', '{"zone":"x"}'],
  ]);
});

test('an id and a name that are repeated with each piece make one call', () => {
  expect(
    assemble(
      { index: 0, id: 'a', name: 'get_time', arguments: '{"zo' },
      { index: 0, id: 'a', name: 'get_time', arguments: 'ne":' },
      { index: 0, id: 'a', name: 'get_time', arguments: '"x"}' },
    ),
  ).toEqual([['a', 'get_time', '{"zone":"x"}']]);
  expect(assemble({ index: 0, name: 'get_time', arguments: '{"zo' }, { index: 0, name: 'get_time', arguments: 'ne":"x"}' })).toEqual([
    ['new-1', 'get_time', '{"zone":"x"}'],
  ]);
});

test('whole objects under one id and label are calls of their own, and what is said again is said once', () => {
  const piece = (city: string): CallPiece => ({ index: 0, id: 'a', name: 'get_weather', arguments: `{"city":"${city}"}` });
  const two = [
    ['a', 'get_weather', '{"city":"y"}'],
    ['new-1', 'get_weather', '{"city":"}{"}'],
  ];
  expect(assemble(piece('y'), piece('}{'))).toEqual(two);
  expect(
    assemble({ index: 0, id: 'a', name: 'get_weather', arguments: '{"city":"y"}\n{"city":' }, { index: 0, arguments: '"}{"}' }),
  ).toEqual(two);
  expect(assemble(piece('y'), piece('y'))).toEqual([two[0]]);
  expect(assemble(piece('y'), { ...piece('z'), arguments: '{ "city": "y" }' })).toEqual([two[0]]);
  expect(
    assemble(piece('y'), { index: 0, id: 'a', name: 'get_time', arguments: '{"zone":' }, { index: 0, id: 'a', arguments: '"x"}' }),
  ).toEqual([two[0], ['new-1', 'get_time', '{"zone":"x"}']]);
  expect(assemble({ index: 0, id: 'a', name: 'get_weather', arguments: '{"city":"y"}{"city":"z' })[0]?.[3]).toContain('not valid JSON');
  expect(assemble({ index: 0, id: 'a', name: 'get_weather', arguments: '{"city":"y"} and {"city":"z"}' })[0]?.[3]).toContain(
    'not valid JSON',
  );
});

test('an id that comes late, and one that changes with each piece, make one call', () => {
  expect(assemble({ index: 0, name: 'get_time', arguments: '{' }, { index: 0, id: 'late', arguments: '}' })).toEqual([
    ['late', 'get_time', '{}'],
  ]);
  expect(assemble({ index: 0, id: 'x1', name: 'get_time', arguments: '{' }, { index: 0, id: 'x2', arguments: '}' })).toEqual([
    ['x1', 'get_time', '{}'],
  ]);
});

test('blank arguments are {} only where the tool demands nothing (FR-202)', () => {
  expect(assemble({ index: 0, id: 'a', name: 'list', arguments: ' ' })).toEqual([['a', 'list', '{}']]);
  expect(assemble({ index: 0, id: 'a', name: 'get_time' })).toEqual([['a', 'get_time', '', 'no arguments were sent']]);
});

test('null and an empty list are blank too', () => {
  for (const blank of ['null', ' [] ']) {
    expect(assemble({ index: 0, id: 'a', name: 'list', arguments: blank })).toEqual([['a', 'list', '{}']]);
    expect(assemble({ index: 0, id: 'a', name: 'get_time', arguments: blank })).toEqual([
      ['a', 'get_time', blank, 'no arguments were sent'],
    ]);
  }
});

test('an empty object before the arguments, and quotes around the whole, are taken away', () => {
  const zone = '{"zone":"x{}"}';
  expect(
    assemble(
      { index: 0, id: 'a', name: 'get_time', arguments: '{}' },
      { index: 0, arguments: '{"zone":' },
      { index: 0, arguments: '"x{}"}' },
    ),
  ).toEqual([['a', 'get_time', zone]]);
  expect(assemble({ index: 0, id: 'a', name: 'get_time', arguments: JSON.stringify(zone) })).toEqual([['a', 'get_time', zone]]);
  expect(assemble({ index: 0, id: 'a', name: 'list', arguments: '{}{"a":' })[0]?.[3]).toContain('not valid JSON');
  expect(assemble({ index: 0, id: 'a', name: 'list', arguments: '"only text"' })).toEqual([['a', 'list', '"only text"']]);
});

test('marks of a template behind the arguments are taken away, and line breaks in a text are written as JSON has them', () => {
  const sent = (text: string) => assemble({ index: 0, id: 'a', name: 'get_time', arguments: text });
  expect(sent('{"zone":"x"}\n</tool_call>')).toEqual([['a', 'get_time', '{"zone":"x"}']]);
  expect(sent('{"zone":"x"}<|call|></s>')).toEqual([['a', 'get_time', '{"zone":"x"}']]);
  expect(sent('{"zone":"a\n\tb \\"c\\"\r"}')).toEqual([['a', 'get_time', '{"zone":"a\\n\\tb \\"c\\"\\r"}']]);
  for (const broken of ['{"zone":"x"} and more', '{"zone":"x"</tool_call>', "{'zone': 'x'}", '{"zone":"x"}}'])
    expect(sent(broken)).toEqual([['a', 'get_time', broken, expect.stringContaining('not valid JSON')]]);
});

test('arguments that are no JSON are reported and stay as they are, without their text in the report', () => {
  const [call] = assemble({ index: 0, id: 'a', name: 'get_time', arguments: '{"zone": "secret' });
  expect(call).toEqual(['a', 'get_time', '{"zone": "secret', 'the arguments are not valid JSON (16 characters)']);
});

test('an object instead of text is written as JSON; a call without a name must not run', () => {
  expect(assemble({ name: 'get_time', arguments: { zone: 'x' } })).toEqual([['new-1', 'get_time', '{"zone":"x"}']]);
  expect(assemble({ index: 0, id: 'a', arguments: '{}' })).toEqual([['a', '', '{}', 'the call names no tool']]);
});

test('however a well-labelled stream is cut and mixed, the same calls come out, and no two share an id', () => {
  const calls = fc.array(
    fc.record({
      name: fc.constantFrom('get_weather', 'list'),
      args: fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
    }),
    {
      minLength: 1,
      maxLength: 4,
    },
  );
  fc.assert(
    fc.property(calls, fc.infiniteStream(fc.nat()), (made, chance) => {
      const next = (below: number): number => (chance.next().value ?? 0) % below;
      const queues = made.map(({ name, args }, index) => {
        const json = JSON.stringify(args);
        const cut = next(json.length + 1);
        return [
          { index, id: `id${index}`, name, arguments: json.slice(0, cut) },
          { index, arguments: json.slice(cut) },
        ];
      });
      // Calls open in order, as every provider sends them; their further pieces come in any order.
      const pieces: CallPiece[] = queues.map(([head]) => head ?? {});
      const rest = queues.map(([, tail]) => tail ?? {});
      while (rest.length > 0) pieces.push(...rest.splice(next(rest.length), 1));
      const done = assemble(...pieces);
      expect(done.map(([id, name, args]) => [id, name, args])).toEqual(
        made.map(({ name, args }, index) => [`id${index}`, name, JSON.stringify(args)]),
      );
    }),
  );
  fc.assert(
    fc.property(
      fc.array(
        fc.record(
          {
            index: fc.nat(2),
            id: fc.constantFrom('', 'a', 'b'),
            name: fc.constantFrom('', 'list', 'get_time'),
            arguments: fc.constantFrom('', '{', '}', '{}', '{"a":1}'),
          },
          { requiredKeys: [] },
        ),
        { maxLength: 8 },
      ),
      (pieces) => {
        const ids = assemble(...pieces).map(([id]) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).not.toContain('');
      },
    ),
  );
});

test.each([
  ['breaks behind them', `{"a":1${'\n'.repeat(100_000)}`],
  ['objects in a text', `{"a":"${'}{'.repeat(100_000)}`],
  ['quotes in a text', `{"a":"${'\\"'.repeat(100_000)}`],
  ['objects and quotes in a text', `{"a":"${'\\"}{'.repeat(100_000)}`],
  ['marks', `{"a":1${'<b> '.repeat(100_000)}`],
])('long arguments that were cut off cost one walk: %s', (_title, text) => {
  const started = performance.now();
  expect(assemble({ index: 0, id: 'a', name: 'get_weather', arguments: text })[0]?.[3]).toContain('not valid JSON');
  expect(performance.now() - started).toBeLessThan(1_000);
});
