import type { ElementCriteria } from '@x/core';
import { expect, test } from 'vitest';
import { compileCriteria, criteriaHold } from './compile-criteria.js';
import { MatchContext } from './match-context.js';
import type { PromptExecutionContext, PromptIssue } from './prompt-context.js';

const evening: PromptExecutionContext = {
  currentMood: 'empathetic',
  userSkillLevel: 'beginner',
  taskHint: 'Recursion in Python',
  taskComplexity: 'complex',
  language: 'de-AT',
  conversationSignals: ['first_turn', 'user_confused'],
  sentimentScore: -0.4,
  turn: 3,
  traits: { openness: 0.8 },
  recentTexts: ['old talk', 'What is a base case?'],
};

function holds(criteria: ElementCriteria | undefined, context = evening): boolean {
  return criteriaHold(compileCriteria(criteria, new Set()), new MatchContext(context));
}

test.each<[string, ElementCriteria | undefined, boolean]>([
  ['none given', undefined, true],
  ['an empty object', {}, true],
  ['a mood', { mood: 'empathetic' }, true],
  ['a mood in other letters', { mood: ' Empathetic ' }, true],
  ['another mood', { mood: 'neutral' }, false],
  ['one of several moods', { mood: ['neutral', 'empathetic'] }, true],
  ['none of several moods', { mood: ['neutral', 'focused'] }, false],
  ['the exact skill', { userSkillLevel: 'beginner' }, true],
  ['a neighbour on the scale of skills', { userSkillLevel: 'novice' }, false],
  ['a skill up to beginner', { userSkillLevel: { atMost: 'beginner' } }, true],
  ['a skill from intermediate', { userSkillLevel: { atLeast: 'intermediate' } }, false],
  ['a skill between two', { userSkillLevel: { atLeast: 'novice', atMost: 'expert' } }, true],
  ['a part of the task hint, in other letters', { taskHint: 'recursion' }, true],
  ['no part of the task hint', { taskHint: 'rust' }, false],
  ['one of several parts', { taskHint: ['rust', 'python'] }, true],
  ['a complexity by its synonym', { taskComplexity: 'high' }, true],
  ['a complexity from moderate', { taskComplexity: { atLeast: 'medium' } }, true],
  ['a language by its base', { language: 'de' }, true],
  ['a language by its whole tag', { language: 'DE-at' }, true],
  ['a language by half a tag', { language: 'd' }, false],
  ['another region', { language: 'de-CH' }, false],
  ['all of the signals', { conversationSignals: ['user_confused', 'first_turn'] }, true],
  ['a signal that is not there', { conversationSignals: ['first_turn', 'tool_failed'] }, false],
  ['no signals asked for', { conversationSignals: [] }, true],
  ['a score within its range', { sentimentScore: { max: -0.3 } }, true],
  ['a score outside its range', { sentimentScore: { min: 0 } }, false],
  ['a turn within its range', { turn: { min: 3, max: 3 } }, true],
  ['a turn outside its range', { turn: { min: 4 } }, false],
  ['a trait within its range', { traits: { openness: { min: 0.7 } } }, true],
  ['a trait that nobody set, at 0.5', { traits: { honesty: { min: 0.5, max: 0.5 } } }, true],
  ['no trait asked for', { traits: {} }, true],
  ['the opposite of what holds', { not: { mood: 'empathetic' } }, false],
  ['the opposite of what does not', { not: { mood: 'neutral' } }, true],
  ['the opposite of always', { not: {} }, false],
  ['any of two', { anyOf: [{ mood: 'neutral' }, { turn: { min: 2 } }] }, true],
  ['any of none that hold', { anyOf: [{ mood: 'neutral' }, { turn: { min: 9 } }] }, false],
  ['any with one that always holds', { anyOf: [{ mood: 'neutral' }, {}] }, true],
  ['all fields at once', { mood: 'empathetic', taskHint: 'python', not: { language: 'en' } }, true],
  ['all fields but one', { mood: 'empathetic', taskHint: 'python', language: 'en' }, false],
  ['words of the talk', { text: { keys: ['base case'] } }, true],
  ['words that were not said', { text: { keys: ['loop'] } }, false],
  ['words inside not', { not: { text: { keys: ['loop'] } } }, true],
])('%s', (_title, criteria, expected) => {
  expect(holds(criteria)).toBe(expected);
});

test('a criterion on what is not known does not hold, its opposite does', () => {
  const unknowns: ElementCriteria[] = [
    { mood: 'neutral' },
    { userSkillLevel: 'novice' },
    { userSkillLevel: { atMost: 'expert' } },
    { taskHint: 'x' },
    { taskComplexity: { atLeast: 'simple' } },
    { language: 'en' },
    { conversationSignals: ['first_turn'] },
    { sentimentScore: {} },
    { turn: {} },
    { traits: { honesty: {} } },
    { text: { keys: ['x'] } },
  ];
  for (const criteria of unknowns) {
    expect([criteria, holds(criteria, {}), holds({ not: criteria }, {})]).toEqual([criteria, false, true]);
  }
  expect(holds({ sentimentScore: {} }, { sentimentScore: null })).toBe(false);
  expect(holds({ sentimentScore: {} }, { sentimentScore: Number.NaN })).toBe(false);
});

test.each<[string, unknown, string]>([
  ['an unknown key', { moods: 'calm' }, 'criteria.moods'],
  ['an unknown key deep inside', { anyOf: [{}, { not: { taskhint: 'x' } }] }, 'criteria.anyOf[1].not.taskhint'],
  ['the placeholder of the seed', { workingMemoryQuery: 'x' }, 'criteria.workingMemoryQuery'],
  ['a member of every object', { toString: 'x' }, 'criteria.toString'],
  ['a list instead of an object', [], 'criteria'],
  ['text instead of an object', 'mood', 'criteria'],
  ['null', null, 'criteria'],
  ['a blank word', { mood: ' ' }, 'criteria.mood'],
  ['a word that nobody sees', { text: { keys: ['\u200b'] } }, 'criteria.text.keys'],
  ['an empty list of words', { mood: [] }, 'criteria.mood'],
  ['a number for a word', { mood: 3 }, 'criteria.mood'],
  ['a level that is not on the scale', { userSkillLevel: { atLeast: 'guru' } }, 'criteria.userSkillLevel.atLeast'],
  ['bounds the wrong way round', { userSkillLevel: { atLeast: 'expert', atMost: 'novice' } }, 'criteria.userSkillLevel'],
  ['an unknown bound of a scale', { taskComplexity: { from: 'simple' } }, 'criteria.taskComplexity.from'],
  ['an unknown bound of a range', { turn: { from: 1 } }, 'criteria.turn.from'],
  ['a range the wrong way round', { turn: { min: 2, max: 1 } }, 'criteria.turn'],
  ['a bound that is no number', { turn: { min: '1' } }, 'criteria.turn'],
  ['a signal that is no list', { conversationSignals: 'first_turn' }, 'criteria.conversationSignals'],
  ['an unknown trait', { traits: { charisma: { min: 0 } } }, 'criteria.traits.charisma'],
  ['an unknown predicate', { predicate: 'isNight' }, 'criteria.predicate'],
  ['no branches', { anyOf: [] }, 'criteria.anyOf'],
  ['no keys', { text: { keys: [] } }, 'criteria.text.keys'],
  ['an unknown option of text', { text: { keys: ['x'], depth: 3 } }, 'criteria.text.depth'],
  ['a chance above 1', { text: { keys: ['x'], probability: 2 } }, 'criteria.text.probability'],
  ['half a turn', { text: { keys: ['x'], sticky: 0.5 } }, 'criteria.text.sticky'],
  ['a scan of nothing', { text: { keys: ['x'], scanDepth: 0 } }, 'criteria.text.scanDepth'],
  ['a flag that is no flag', { text: { keys: ['x'], wholeWord: 'yes' } }, 'criteria.text.wholeWord'],
  ['stickiness inside not', { not: { text: { keys: ['x'], sticky: 1 } } }, 'criteria.not.text.sticky'],
])('%s is refused, by its path', (_title, criteria, path) => {
  const compile = () => compileCriteria(criteria as ElementCriteria, new Set());
  expect(compile).toThrow(expect.objectContaining({ name: 'CriteriaInvalidError', code: 'criteria_invalid', retryable: false, path }));
});

test('what no context can change is known in advance', () => {
  const constantOf = (criteria: ElementCriteria | undefined) => compileCriteria(criteria, new Set()).constant;
  expect(constantOf(undefined)).toBe(true);
  expect(constantOf({ conversationSignals: [], traits: {} })).toBe(true);
  expect(constantOf({ mood: 'neutral', not: {} })).toBe(false);
  expect(constantOf({ mood: 'neutral' })).toBeUndefined();
  expect(constantOf({ text: { keys: ['x'] } })).toBeUndefined();
});

test('a predicate of the host is asked by name; all of a list must hold', () => {
  const predicates = { isNight: ({ turn }: PromptExecutionContext) => turn === 3, never: () => false };
  const ask = (predicate: string | readonly string[]) =>
    criteriaHold(compileCriteria({ predicate }, new Set(Object.keys(predicates))), new MatchContext(evening, predicates));
  expect([ask('isNight'), ask(['isNight']), ask(['isNight', 'never'])]).toEqual([true, true, false]);
});

test('a predicate that throws or gives no boolean does not hold and is reported', () => {
  const predicates = {
    broken: () => {
      throw new Error('x');
    },
    late: (async () => true) as unknown as () => boolean,
  };
  const issues: PromptIssue[] = [];
  const context = new MatchContext(
    evening,
    predicates,
    (code, severity, message, details) => void issues.push({ code, severity, message, details }),
  );
  for (const predicate of ['broken', 'late']) {
    expect(criteriaHold(compileCriteria({ predicate }, new Set(Object.keys(predicates))), context)).toBe(false);
  }
  expect(issues.map(({ code, details }) => [code, details])).toEqual([
    ['predicate_failed', { predicate: 'broken' }],
    ['predicate_failed', { predicate: 'late' }],
  ]);
});
