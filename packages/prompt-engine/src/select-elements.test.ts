import type { ContextualPromptElement } from '@x/core';
import { expect, test } from 'vitest';
import { PromptEngine } from './prompt-engine.js';
import type { ElementLimits } from './select-elements.js';

const element = (id: string, more: Partial<ContextualPromptElement> = {}): ContextualPromptElement => ({
  id,
  type: 'behavioral_guidance',
  content: `content of ${id}`,
  criteria: { mood: 'curious' },
  ...more,
});
const curious = { currentMood: 'curious' };
const ids = (elements: readonly ContextualPromptElement[], limits?: ElementLimits) =>
  new PromptEngine({ limits }).selectElements(elements, curious).map(({ id }) => id);

test('the highest priority comes first, equal ones as declared, 0 where none is given', () => {
  const list = [
    element('a'),
    element('b', { priority: 5 }),
    element('c', { priority: 0 }),
    element('d', { priority: 5 }),
    element('e', { priority: -1 }),
  ];
  expect(ids(list)).toEqual(['b', 'd', 'a', 'c', 'e']);
});

test('ten elements enter unless said otherwise, and those that are always there do not count among them', () => {
  const list = [...Array.from({ length: 12 }, (_, index) => element(`m${index}`)), element('always', { criteria: undefined })];
  expect(ids(list)).toHaveLength(11);
  expect(ids(list, { maxElements: 2 })).toEqual(['m0', 'm1', 'always']);
  expect(ids(list, { maxElements: 0 })).toEqual(['always']);
});

test('a limit for each type, and one for a type of its own', () => {
  const list = [element('a'), element('b'), element('c', { type: 'domain_context' }), element('d', { type: 'domain_context' })];
  expect(ids(list, { maxPerType: 1 })).toEqual(['a', 'c']);
  expect(ids(list, { maxPerType: { domain_context: 0 } })).toEqual(['a', 'b']);
});

test('an element too large for its slot is passed over, smaller ones after it enter', () => {
  const list = [element('large', { content: 'word '.repeat(200) }), element('small')];
  expect(ids(list, { maxTokens: 50 })).toEqual(['small']);
});

test('of a group only the first in rank enters', () => {
  const list = [element('a', { group: 'tone' }), element('b', { group: 'tone', priority: 1 }), element('c')];
  expect(ids(list)).toEqual(['b', 'a', 'c'].filter((id) => id !== 'a'));
});

test('a group that an element of every prompt takes is closed', () => {
  const engine = new PromptEngine();
  const list = [element('fixed', { criteria: {}, group: 'tone' }), element('other', { criteria: {}, group: 'tone', priority: -1 })];
  expect(engine.selectElements(list, {}).map(({ id }) => id)).toEqual(['fixed']);
  expect(engine.explain(list, {})).toEqual([
    { id: 'fixed', type: 'behavioral_guidance', slot: 'stable', in: true, because: 'always' },
    { id: 'other', type: 'behavioral_guidance', slot: 'stable', in: false, because: 'group', loserTo: 'fixed' },
  ]);
});

test('explain says of each element why it is in or out', () => {
  const list: ContextualPromptElement[] = [
    element('always', { criteria: {} }),
    element('matched', { priority: 9 }),
    element('mood', { criteria: { mood: 'neutral' } }),
    element('never', { criteria: { not: {} } }),
    element('unsaid', { criteria: { text: { keys: ['rex'] } } }),
    element('sticky', { priority: 8, criteria: { text: { keys: ['rex'], sticky: 3 } } }),
    element('resting', { criteria: { text: { keys: ['cat'], cooldown: 3 } } }),
    element('delayed', { criteria: { text: { keys: ['cat'], delay: 9 } } }),
    element('unlucky', { criteria: { text: { keys: ['cat'], probability: 0 } } }),
    element('double', { priority: 7, group: 'g' }),
    element('loser', { priority: 6, group: 'g' }),
    element('typed', { priority: 5 }),
    element('large', { priority: 4, type: 'domain_context', content: 'word '.repeat(500) }),
    element('last', { priority: 3, type: 'domain_context' }),
    element('too late', { priority: 2, type: 'domain_context' }),
  ];
  const engine = new PromptEngine({ limits: { maxElements: 4, maxPerType: { behavioral_guidance: 3 }, maxTokens: 200 } });
  const context = {
    ...curious,
    turn: 5,
    recentTexts: ['my cat'],
    elementTiming: { sticky: { until: 6, restUntil: 6 }, resting: { until: 4, restUntil: 7 } },
  };
  const told = Object.fromEntries(engine.explain(list, context).map(({ id, because }) => [id, because]));
  expect(told).toEqual({
    always: 'always',
    matched: 'matched',
    mood: 'criteria',
    never: 'never',
    unsaid: 'text',
    sticky: 'sticky',
    resting: 'resting',
    delayed: 'delayed',
    unlucky: 'chance',
    double: 'matched',
    loser: 'group',
    typed: 'type_limit',
    large: 'token_limit',
    last: 'matched',
    'too late': 'total_limit',
  });
  expect(engine.explain(list, context)[2]).toMatchObject({ path: 'contextualPromptElements[2].criteria.mood' });
  const chosen = engine.selectElements(list, context).map(({ id }) => id);
  expect(chosen.sort()).toEqual(['always', 'double', 'last', 'matched', 'sticky']);
});

test('elements without an id, or with the same one, are told apart', () => {
  const nameless = { type: 'domain_context', content: 'x' } as const;
  const told = new PromptEngine().explain([nameless, { ...nameless }, element('a'), element('a')], {});
  expect(told.map(({ id }) => id)).toEqual(['domain_context#0', 'domain_context#1', 'a', 'a#3']);
});

test('an element that was seen is frozen with its criteria; a list that changes is understood', () => {
  const engine = new PromptEngine();
  const list = [element('a')];
  expect(engine.selectElements(list, curious)).toHaveLength(1);
  expect(() => Object.assign(list[0]!, { content: 'other' })).toThrow(TypeError);
  expect(() => Object.assign(list[0]!.criteria!, { mood: 'neutral' })).toThrow(TypeError);
  list.push(element('b'));
  expect(engine.selectElements(list, curious).map(({ id }) => id)).toEqual(['a', 'b']);
  list[0] = element('c', { criteria: { mood: 'neutral' } });
  expect(engine.selectElements(list, curious).map(({ id }) => id)).toEqual(['b']);
});

test.each<[string, unknown, string]>([
  ['a type by the name of its member', { type: 'DOMAIN_CONTEXT', content: 'x' }, 'contextualPromptElements[0].type'],
  ['content that is no text', { type: 'domain_context', content: { text: 'x' } }, 'contextualPromptElements[0].content'],
  ['blank content', { type: 'domain_context', content: ' ' }, 'contextualPromptElements[0].content'],
  ['an unknown field', { type: 'domain_context', content: 'x', prio: 1 }, 'contextualPromptElements[0].prio'],
  ['a priority that is no number', { type: 'domain_context', content: 'x', priority: Number.NaN }, 'contextualPromptElements[0].priority'],
  ['an id that reaches a prototype', { type: 'domain_context', content: 'x', id: '__proto__' }, 'contextualPromptElements[0].id'],
  ['null', null, 'contextualPromptElements[0]'],
])('%s is refused, by its path', (_title, one, path) => {
  expect(() => new PromptEngine().selectElements([one as ContextualPromptElement], {})).toThrow(
    expect.objectContaining({ name: 'ElementInvalidError', code: 'element_invalid', path }),
  );
});
