import {
  type AgentState,
  GMIMood,
  INITIAL_STATE,
  KEYS,
  type MetapromptContext,
  parseTaskComplexity,
  SKILL_LEVELS,
  TASK_COMPLEXITIES,
} from '@x/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placeholdersOf, templateOf } from './fill-template.js';
import { COMPLEXITY_SYNONYMS, narrowMoods, updatesSchema } from './output-schema.js';
import { getPresetMetaprompt, isPresetMetaprompt, localHandlerOf, METAPROMPT_PRESETS, SELF_REFLECTION_ID } from './presets.js';
import { readUpdates } from './read-updates.js';
import { VARIABLE_NAMES } from './variables.js';

test('there are five presets, in a fixed order, each for one event, none bound to a model', () => {
  expect(METAPROMPT_PRESETS.map(({ id, trigger, modelId, mode }) => [id, trigger, modelId, mode ?? 'llm'])).toEqual([
    ['gmi_frustration_recovery', { type: 'event_based', eventName: 'user_frustrated' }, undefined, 'llm'],
    ['gmi_confusion_clarification', { type: 'event_based', eventName: 'user_confused' }, undefined, 'llm'],
    ['gmi_satisfaction_reinforcement', { type: 'event_based', eventName: 'user_satisfied' }, undefined, 'llm'],
    ['gmi_error_recovery', { type: 'event_based', eventName: 'error_threshold_exceeded' }, undefined, 'llm'],
    ['gmi_engagement_boost', { type: 'event_based', eventName: 'low_engagement' }, undefined, 'llm'],
  ]);
});

test('a preset cannot be changed by whoever got it', () => {
  const [preset] = METAPROMPT_PRESETS;
  expect(() => Object.assign(preset ?? {}, { temperature: 2 })).toThrow(TypeError);
  expect(Object.isFrozen(preset?.outputSchema?.['properties'])).toBe(true);
});

describe.each(METAPROMPT_PRESETS.map((preset) => [preset.id, preset] as const))('%s', (_id, preset) => {
  const properties = preset.outputSchema?.['properties'] as { [name: string]: { enum?: readonly string[] } };

  test('its schema lists only moods, skills and complexities that exist', () => {
    expect(properties['updatedGmiMood']?.enum?.filter((mood) => !(Object.values(GMIMood) as string[]).includes(mood))).toEqual([]);
    expect(properties['updatedUserSkillLevel']?.enum ?? SKILL_LEVELS).toEqual(SKILL_LEVELS);
    expect(properties['updatedTaskComplexity']?.enum).toEqual(TASK_COMPLEXITIES);
  });

  test('its template names the same moods as its schema and uses only known variables', () => {
    const template = templateOf(preset);
    const offered = /updatedGmiMood, only if it should change: (.*)/.exec(template)?.[1]?.split(', ');
    expect(offered).toEqual(properties['updatedGmiMood']?.enum);
    expect(placeholdersOf(template).filter((name) => !VARIABLE_NAMES.includes(name))).toEqual([]);
  });

  test('its local handler answers every state with updates that state takes', () => {
    const state = fc.record({
      mood: fc.constantFrom(...Object.values(GMIMood)),
      skill: fc.constantFrom(...SKILL_LEVELS),
      complexity: fc.constantFrom(...TASK_COMPLEXITIES),
      run: fc.nat(6),
    });
    fc.assert(
      fc.property(state, ({ run, ...named }) => {
        const record = { consecutiveFrustration: run, consecutiveSatisfaction: run };
        const now: AgentState = { ...INITIAL_STATE, ...named, values: { [KEYS.sentimentHistory]: record } };
        const updates = preset.handler?.({ state: now, events: [], history: [] } satisfies MetapromptContext);
        expect(readUpdates({ ...updates }, now).refusals).toEqual([]);
        expect(properties['updatedGmiMood']?.enum).toContain(updates?.updatedGmiMood);
      }),
    );
  });
});

test('the self-reflection has a local handler but is no preset', () => {
  expect(isPresetMetaprompt(SELF_REFLECTION_ID)).toBe(false);
  expect(getPresetMetaprompt('gmi_error_recovery')?.id).toBe('gmi_error_recovery');
  const handler = localHandlerOf({ id: SELF_REFLECTION_ID, promptTemplate: '' });
  const values = { [KEYS.sentimentHistory]: { consecutiveFrustration: 1 } };
  expect(handler?.({ state: INITIAL_STATE, events: [], history: [] })).toBeUndefined();
  expect(handler?.({ state: { ...INITIAL_STATE, values }, events: [], history: [] })?.updatedTaskComplexity).toBe('simple');
});

test('an override in mode local without a handler of its own uses that of the preset', () => {
  const own = { id: 'gmi_error_recovery', promptTemplate: '', mode: 'local' } as const;
  expect(localHandlerOf(own)).toBe(getPresetMetaprompt('gmi_error_recovery')?.handler);
  expect(localHandlerOf({ id: 'mine', promptTemplate: '' })).toBeUndefined();
});

test('every synonym of a complexity that a reply may use is understood', () => {
  expect(COMPLEXITY_SYNONYMS.filter((word) => parseTaskComplexity(word) === undefined)).toEqual([]);
});

test('a persona that allows few moods is offered only those; one that allows none is offered no mood', () => {
  const schema = updatesSchema();
  const moods = (allowed: readonly string[]) =>
    (narrowMoods(schema, allowed)['properties'] as { [name: string]: { enum?: unknown } })['updatedGmiMood']?.enum;
  expect([moods(['curious', 'nobody']), moods([])]).toEqual([['curious'], undefined]);
  expect(narrowMoods(schema, undefined)).toBe(schema);
});
