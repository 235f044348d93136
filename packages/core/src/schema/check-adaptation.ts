import { GMIEventType, GMIMood, PRESET_NAMES, parseMood, TRAIT_NAMES } from '../vocabulary.js';
import { didYouMean } from './did-you-mean.js';
import { asList, asRaws, asWord, isRaw, type Raw, type Report } from './persona-issue.js';

const TRAIT_ALIASES = ['honestyHumility', 'honesty_humility', 'opennessToExperience', 'openness_to_experience'];
const TRIGGERS = ['turn_interval', 'event_based', 'manual'];

/** Checks what makes the persona adapt: sentiment, metaprompts, moods, traits. */
export function checkAdaptation(persona: Raw, report: Report): void {
  const tracking = isRaw(persona.sentimentTracking) ? persona.sentimentTracking : undefined;
  if (tracking) checkSentiment(tracking, report);
  checkMetaprompts(persona, tracking, report);
  checkMoods(persona.moodAdaptation, report);
  for (const [name, value] of Object.entries(isRaw(persona.personalityTraits) ? persona.personalityTraits : {})) {
    const path = `personalityTraits.${name}`;
    if (!(TRAIT_NAMES as readonly string[]).includes(name) && !TRAIT_ALIASES.includes(name))
      report('unknown_trait', 'warning', path, `There is no such trait.${didYouMean(name, TRAIT_NAMES)}`);
    else if (typeof value !== 'number' || !(value >= 0 && value <= 1))
      report('trait_out_of_range', 'error', path, 'A trait is a number from 0 to 1.');
  }
}

function checkSentiment(tracking: Raw, report: Report): void {
  const presets = tracking.presets;
  if (presets !== undefined && !Array.isArray(presets))
    report('invalid_field_type', 'error', 'sentimentTracking.presets', 'presets must be a list of names.');
  asList(presets).forEach((name, index) => {
    const known = [...PRESET_NAMES, 'all'];
    if (!(known as unknown[]).includes(asWord(name).replace(/^gmi_/, '')))
      report(
        'unknown_preset',
        'error',
        `sentimentTracking.presets[${index}]`,
        `There is no such preset.${didYouMean(asWord(name), known)}`,
      );
  });
  const range = (field: string, min: number, max: number, whole = false): void => {
    const value = tracking[field];
    if (value === undefined || (typeof value === 'number' && value >= min && value <= max && (!whole || Number.isInteger(value)))) return;
    report(
      'invalid_sentiment_setting',
      'error',
      `sentimentTracking.${field}`,
      `${field} must be ${whole ? 'a whole number' : 'a number'} from ${min} to ${max}.`,
    );
  };
  range('frustrationThreshold', -1, 0);
  range('satisfactionThreshold', 0, 1);
  range('consecutiveTurnsForTrigger', 1, 1_000, true);
  range('historyWindow', 0, 10_000, true);
  range('cooldownTurns', 0, 10_000, true);
}

function checkMetaprompts(persona: Raw, tracking: Raw | undefined, report: Report): void {
  const presets = asList(tracking?.presets).map((name) => `gmi_${asWord(name).replace(/^gmi_/, '')}`);
  const merged = new Set(presets.includes('gmi_all') ? PRESET_NAMES.map((name) => `gmi_${name}`) : presets);
  const seen = new Set<unknown>();
  for (const [metaprompt, index] of asRaws(persona.metaPrompts)) {
    const path = `metaPrompts[${index}]`;
    const id = metaprompt.id;
    if (typeof id !== 'string' || id === '') report('missing_required_field', 'error', `${path}.id`, 'A metaprompt needs an id.');
    else if (seen.has(id))
      report('duplicate_metaprompt_id', 'error', `${path}.id`, 'Two metaprompts share this id, so they would share counters and flags.');
    seen.add(id);
    const trigger = metaprompt.trigger;
    if (!isRaw(trigger)) {
      if (merged.has(asWord(id)))
        report(
          'override_without_trigger',
          'warning',
          `${path}.trigger`,
          'This entry replaces a preset whole; without a trigger the preset never runs. Restate its trigger.',
        );
      else report('metaprompt_without_trigger', 'warning', `${path}.trigger`, 'Without a trigger this metaprompt never runs.');
    } else checkTrigger(trigger, `${path}.trigger`, report);
  }
}

function checkTrigger(trigger: Raw, path: string, report: Report): void {
  const type = asWord(trigger.type);
  if (!TRIGGERS.includes(type))
    report(
      'unsupported_metaprompt_trigger',
      'warning',
      `${path}.type`,
      `A trigger is turn_interval, event_based or manual; this one never fires.${didYouMean(type, TRIGGERS)}`,
    );
  const turns = trigger.intervalTurns;
  if (type === 'turn_interval' && !(typeof turns === 'number' && Number.isFinite(turns) && turns >= 1))
    report(
      'invalid_metaprompt_interval',
      'warning',
      `${path}.intervalTurns`,
      'intervalTurns must be a number of at least 1; this metaprompt never fires.',
    );
  const events: readonly string[] = Object.values(GMIEventType);
  const event = asWord(trigger.eventName);
  if (type === 'event_based' && !events.includes(event))
    report(
      'unknown_metaprompt_event',
      'warning',
      `${path}.eventName`,
      `No part of this system raises that event.${didYouMean(event, events)}`,
    );
}

function checkMoods(adaptation: unknown, report: Report): void {
  if (!isRaw(adaptation)) return;
  const known: readonly string[] = Object.values(GMIMood);
  const check = (mood: unknown, path: string): void => {
    if (mood !== undefined && parseMood(mood) === undefined)
      report('unknown_mood', 'error', path, `There is no such mood.${didYouMean(asWord(mood), known)}`);
  };
  check(adaptation.defaultMood, 'moodAdaptation.defaultMood');
  asList(adaptation.allowedMoods).forEach((mood, index) => void check(mood, `moodAdaptation.allowedMoods[${index}]`));
  for (const mood of Object.keys(isRaw(adaptation.moodPrompts) ? adaptation.moodPrompts : {}))
    check(mood, `moodAdaptation.moodPrompts.${mood}`);
}
