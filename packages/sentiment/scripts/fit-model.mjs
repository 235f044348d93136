// Cross-validation by group, choice of thresholds, training on everything and packing of a linear model.
import { EVALUATE_ONLY, foldOf, groupMessages, TO_ASSISTANT, targetsOf } from './affect-data.mjs';
import { EVENTS, eventFigures, falseRate, polarityF1, summarise } from './affect-metrics.mjs';
import { logitsOf, trainLogistic } from './logistic.mjs';

const FOLDS = 4;
const TRAP_WEIGHT = 4;

/** The two models that are shipped; `mostFalse`: the share of neutral messages to an assistant on which frustrated, confused, satisfied may be raised. */
export const COMPACT = { bits: 13, useDense: true, useRules: true, mostFalse: [0.011, 0.006, 0.005] };
export const ALONE = { bits: 14, useDense: false, useRules: false, mostFalse: [0.03, 0.03, 0.03] };

/**
 * @param source The bundle of src/training.ts.
 * @param items Labelled messages; those of `evaluateOnly` (ids) and of sources that may only evaluate train nothing.
 * @returns `{ rows, summary, packed }`: out-of-fold predictions, their figures, the model trained on everything.
 */
export function fitModel(source, items, settings, evaluateOnly = new Set()) {
  const { DENSE, HEADS, MOST, ZERO, applyRules, hashedFeatures, readText } = source;
  const mayTrain = ({ id, source: name }) => !evaluateOnly.has(id) && !EVALUATE_ONLY.has(name);
  const folds = groupMessages(items).map((group) => foldOf(group, FOLDS));
  const reads = items.map(({ text, lang, context }) => readText(text, lang, context));
  const noDense = new Float64Array(DENSE.length);
  return build(settings);

  /** Cross-validates, chooses thresholds, trains on everything and packs. */
  function build({ bits, useDense, useRules, mostFalse }) {
    const hashed = reads.map(({ tokens }) => {
      const places = [];
      hashedFeatures(tokens, bits, { add: (place) => places.push(place) });
      return places;
    });
    const example = (index, part) => ({
      hashed: part === 'dense' ? [] : hashed[index],
      dense: part === 'hashed' || !useDense ? noDense : reads[index].dense,
      targets: targetsOf(items[index]),
      weight: items[index].source === 'traps' ? TRAP_WEIGHT : 1,
    });
    const size = { heads: HEADS.length, denseCount: DENSE.length };
    // What the lexicons found is learnt first and alone; n-grams then learn only what that leaves open. Learnt together
    // they share the credit, and a phrase that training has not seen counts for too little.
    const train = (indices) => {
      const first = useDense
        ? trainLogistic(
            indices.map((index) => example(index, 'dense')),
            { ...size, places: 1, epochs: 12 },
          )
        : {
            dense: new Float64Array(DENSE.length * HEADS.length),
            bias: new Float64Array(HEADS.length),
            hashed: new Float32Array(HEADS.length),
          };
      const offsets = (index) => (useDense ? logitsOf(first, example(index, 'dense'), HEADS.length) : undefined);
      const second = trainLogistic(
        indices.map((index) => ({ ...example(index, 'hashed'), offset: offsets(index) })),
        { ...size, places: 2 ** bits, epochs: useDense ? 8 : 12 },
      );
      return { hashed: second.hashed, dense: first.dense, bias: second.bias.map((value, head) => value + first.bias[head]) };
    };
    const predict = (weights, index) => {
      const logits = logitsOf(weights, example(index), HEADS.length);
      if (useRules) applyRules(reads[index], logits);
      return logits;
    };
    const usable = items.flatMap((item, index) => (mayTrain(item) ? [index] : []));
    const logits = new Array(items.length);
    for (let fold = 0; fold < FOLDS; fold += 1) {
      const weights = train(usable.filter((index) => folds[index] !== fold));
      items.forEach((_, index) => {
        if (folds[index] === fold) logits[index] = predict(weights, index);
      });
    }
    const thresholds = chooseThresholds(logits, mostFalse);
    const rows = items.map((item, index) => ({ item, out: decide(logits[index], thresholds) }));
    return { rows, summary: summarise(rows), packed: pack(train(usable), thresholds, bits, useDense) };
  }

  function decide(logits, thresholds) {
    const [frustrated, confused, satisfied, up, down] = logits.map((value, head) => value - thresholds[head]);
    const polarity = Math.max(up, down) < 0 ? 'neu' : up >= down ? 'pos' : 'neg';
    return { frustrated: frustrated >= 0, confused: confused >= 0, satisfied: satisfied >= 0, polarity };
  }

  function chooseThresholds(logits, mostFalse) {
    const rows = items.map((item, index) => ({ item, logits: logits[index] })).filter(({ item }) => item.source !== 'traps');
    const grid = Array.from({ length: 61 }, (_, step) => (step - 30) / 10);
    const thresholds = EVENTS.map((event, head) => {
      let best = { value: -1, threshold: 3 };
      for (const threshold of grid) {
        const outs = rows.map(({ item, logits: z }) => ({ item, out: { [event]: z[head] >= threshold } }));
        const chat = outs.filter(({ item }) => TO_ASSISTANT.has(item.source));
        if (falseRate(chat).rate > mostFalse[head]) continue;
        const value = eventFigures(outs, event).f1 + 0.5 * eventFigures(chat, event).f1;
        if (value > best.value) best = { value, threshold };
      }
      return best.threshold;
    });
    let best = { value: -1, up: 0, down: 0 };
    for (const up of grid.filter((step) => Math.abs(step) <= 1)) {
      for (const down of grid.filter((step) => Math.abs(step) <= 1)) {
        const value = polarityF1(rows.map(({ item, logits: z }) => ({ item, out: decide(z, [...thresholds, up, down]) })));
        if (value > best.value) best = { value, up, down };
      }
    }
    return [...thresholds, best.up, best.down];
  }

  function pack({ hashed, dense, bias }, thresholds, bits, useDense) {
    const steps = HEADS.map((_, head) => {
      const sizes = Array.from({ length: hashed.length / HEADS.length }, (_, place) => Math.abs(hashed[place * HEADS.length + head])).sort(
        (a, b) => a - b,
      );
      // The few largest are cut: a finer step for all the others is worth more.
      return (sizes[Math.floor(sizes.length * 0.9995)] || 1e-6) / MOST;
    });
    let text = '';
    let zeros = 0;
    const flush = () => {
      text += zeros > 3 ? `~${zeros.toString(36)}~` : String.fromCharCode(ZERO).repeat(zeros);
      zeros = 0;
    };
    hashed.forEach((value, at) => {
      const whole = Math.max(-MOST, Math.min(MOST, Math.round(value / steps[at % HEADS.length])));
      if (whole === 0) zeros += 1;
      else {
        flush();
        const code = whole + ZERO;
        text += code === 92 ? '!' : String.fromCharCode(code);
      }
    });
    flush();
    return {
      bits,
      steps: steps.map((step) => Number(step.toPrecision(5))),
      bias: Array.from(bias, (value, head) => Number((value - thresholds[head]).toFixed(4))),
      dense: useDense ? Array.from(dense, (value) => Math.round(value * 1000)).join(' ') : '',
      weights: text,
    };
  }
}
