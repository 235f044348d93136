import type { IPersonaDefinition, MetaPromptDefinition } from '@x/core';
import { expect, test } from 'vitest';
import { checkDefinitions } from './check-definitions.js';
import { mergeMetapromptPresets, normalizePersonaDefinition, presetIssues } from './merge-presets.js';

const persona = (fields: Partial<IPersonaDefinition>): IPersonaDefinition => ({
  id: 'p',
  name: 'P',
  version: '1.0.0',
  baseSystemPrompt: '',
  ...fields,
});
const own = (id: string, fields: Partial<MetaPromptDefinition> = {}): MetaPromptDefinition => ({ id, promptTemplate: 'mine', ...fields });
const ids = (list: readonly MetaPromptDefinition[]): string[] => list.map(({ id }) => id);

test('a bare merge gives all five; an own entry comes after; an override stands in its place', () => {
  expect(mergeMetapromptPresets()).toHaveLength(5);
  expect(ids(mergeMetapromptPresets([own('x')]))[5]).toBe('x');
  const merged = mergeMetapromptPresets([own('x'), own('gmi_error_recovery', { temperature: 0.9 })]);
  expect(merged.map(({ id, temperature }) => [id, temperature])).toEqual([
    ['gmi_frustration_recovery', 0.3],
    ['gmi_confusion_clarification', 0.3],
    ['gmi_satisfaction_reinforcement', 0.3],
    ['gmi_error_recovery', 0.9],
    ['gmi_engagement_boost', 0.5],
    ['x', undefined],
  ]);
});

test('chosen ids come in the order of the presets, whatever order they are named in', () => {
  expect(ids(mergeMetapromptPresets([], ['gmi_error_recovery', 'gmi_frustration_recovery']))).toEqual([
    'gmi_frustration_recovery',
    'gmi_error_recovery',
  ]);
});

test('a persona gets the presets it names, short or full, only while tracking is on', () => {
  const named = persona({ sentimentTracking: { enabled: true, presets: ['error_recovery', 'gmi_frustration_recovery'] } });
  expect(ids(mergeMetapromptPresets(named))).toEqual(['gmi_frustration_recovery', 'gmi_error_recovery']);
  expect(mergeMetapromptPresets(persona({ sentimentTracking: { enabled: false, presets: ['all'] } }))).toEqual([]);
  expect(mergeMetapromptPresets(persona({ sentimentTracking: { enabled: true, presets: ['all'] } }))).toHaveLength(5);
});

test('normalising changes nothing when there is nothing to merge, and never the persona itself', () => {
  const plain = persona({ metaPrompts: [own('x')] });
  expect(normalizePersonaDefinition(plain)).toBe(plain);
  const tracked = Object.freeze(persona({ sentimentTracking: { enabled: true, presets: ['all'] }, metaPrompts: [own('x')] }));
  const normal = normalizePersonaDefinition(tracked);
  expect([tracked.metaPrompts?.length, normal.metaPrompts?.length]).toEqual([1, 6]);
  expect(ids(normalizePersonaDefinition(normal).metaPrompts ?? [])).toEqual(ids(normal.metaPrompts ?? []));
});

test('a preset name with a slip is told with the nearest name', () => {
  const [issue] = presetIssues(persona({ sentimentTracking: { enabled: true, presets: ['frustration_recovry'] } }));
  expect(issue).toMatchObject({ code: 'unknown_metaprompt_preset', message: expect.stringContaining('"frustration_recovery"') });
});

test('everything that would silently never run is told once', () => {
  const { usable, issues } = checkDefinitions(
    persona({
      sentimentTracking: { enabled: true, presets: ['frustration_recovery', 'zzz'] },
      metaPrompts: [
        own('gmi_frustration_recovery'),
        own('a', { trigger: { type: 'pre_response' } as never }),
        own('b', { trigger: { type: 'turn_interval', intervalTurns: Number.NaN } }),
        own('c', { trigger: { type: 'turn_interval', intervalTurns: 0 } }),
        own('d', { trigger: { type: 'event_based', eventName: 'coding_query_detected' } }),
        own('d', { trigger: { type: 'manual' } }),
        own('e', { trigger: { type: 'manual' }, promptTemplate: '{{ evidence }} {{mood_of_the_day}}' }),
        own('f'),
      ],
    }),
  );
  expect(issues.map(({ code, id }) => [code, id])).toEqual([
    ['unknown_metaprompt_preset', 'zzz'],
    ['preset_override_without_trigger', 'gmi_frustration_recovery'],
    ['unsupported_metaprompt_trigger', 'a'],
    ['invalid_metaprompt_interval', 'b'],
    ['invalid_metaprompt_interval', 'c'],
    ['unknown_metaprompt_event', 'd'],
    ['duplicate_metaprompt_id', 'd'],
    ['unknown_placeholder', 'e'],
  ]);
  expect(ids(usable)).toEqual(['d', 'e']);
});
