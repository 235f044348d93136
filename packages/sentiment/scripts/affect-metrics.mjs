// Figures over predictions `{ item, out: { frustrated, confused, satisfied, polarity } }`.
import { TO_ASSISTANT } from './affect-data.mjs';

export const EVENTS = ['frustrated', 'confused', 'satisfied'];
const POLARITIES = ['pos', 'neg', 'neu'];

/** Precision, recall, F1 and how many are labelled 1. */
export function eventFigures(rows, event) {
  let hit = 0;
  let wrong = 0;
  let missed = 0;
  for (const { item, out } of rows) {
    const label = item.labels[event];
    if (label !== 0 && label !== 1) continue;
    if (out[event] && label === 1) hit += 1;
    else if (out[event]) wrong += 1;
    else if (label === 1) missed += 1;
  }
  const precision = hit / (hit + wrong || 1);
  const recall = hit / (hit + missed || 1);
  return { precision, recall, f1: hit === 0 ? 0 : (2 * precision * recall) / (precision + recall), positives: hit + missed };
}

const first = (polarity) => (Array.isArray(polarity) ? polarity[0] : polarity);
const isNeutral = ({ labels }) =>
  first(labels.polarity) === 'neu' && EVENTS.every((event) => labels[event] !== 1) && EVENTS.some((event) => labels[event] === 0);

/** Share of neutral messages on which an event was raised that its label denies. */
export function falseRate(rows) {
  const neutral = rows.filter(({ item }) => isNeutral(item));
  const bad = neutral.filter(({ item, out }) => EVENTS.some((event) => item.labels[event] === 0 && out[event]));
  return { rate: neutral.length === 0 ? 0 : bad.length / neutral.length, count: neutral.length };
}

export function polarityF1(rows) {
  const counts = Object.fromEntries(POLARITIES.map((name) => [name, { hit: 0, wrong: 0, missed: 0 }]));
  for (const { item, out } of rows) {
    const label = item.labels.polarity;
    if (label === null || label === undefined) continue;
    const wanted = Array.isArray(label) ? (label.includes(out.polarity) ? out.polarity : label[0]) : label;
    if (out.polarity === wanted) counts[wanted].hit += 1;
    else {
      counts[wanted].missed += 1;
      counts[out.polarity].wrong += 1;
    }
  }
  const used = POLARITIES.filter((name) => counts[name].hit + counts[name].missed > 0);
  const f1 = ({ hit, wrong, missed }) => (hit === 0 ? 0 : (2 * hit) / (2 * hit + wrong + missed));
  return used.reduce((sum, name) => sum + f1(counts[name]), 0) / Math.max(1, used.length);
}

/** All figures of a set of rows; traps apart, since their labels have lists. */
export function summarise(rows) {
  const real = rows.filter(({ item }) => item.source !== 'traps');
  const chat = real.filter(({ item }) => TO_ASSISTANT.has(item.source));
  const traps = rows.filter(({ item }) => item.source === 'traps');
  const macro = (set) => {
    const figures = EVENTS.map((event) => eventFigures(set, event)).filter(({ positives }) => positives > 0);
    return figures.reduce((sum, { f1 }) => sum + f1, 0) / Math.max(1, figures.length);
  };
  const exact = traps.filter(({ item, out }) =>
    EVENTS.every((event) => item.labels[event] === null || item.labels[event] === Number(out[event])),
  );
  return {
    pooled: macro(real),
    toAssistant: macro(chat),
    falseToAssistant: falseRate(chat).rate,
    falseAll: falseRate(real).rate,
    polarity: polarityF1(real),
    trapsRight: traps.length === 0 ? 0 : exact.length / traps.length,
    falseTraps: falseRate(traps).rate,
    events: Object.fromEntries(EVENTS.map((event) => [event, eventFigures(real, event)])),
    chatEvents: Object.fromEntries(EVENTS.map((event) => [event, eventFigures(chat, event)])),
  };
}
