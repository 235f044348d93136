// Logistic regression with Adagrad: hashed features (each 1, scaled by the root of their number) and dense ones.

/** @typedef {{ hashed: number[], dense: Float64Array, targets: (0|1|null)[], weight: number, offset?: number[] }} Example */

const RATE = 0.1;

/**
 * Trains one row of weights a head; the weights are the mean over the later half of the epochs.
 * A rarer class counts more, by the root of the ratio.
 */
export function trainLogistic(examples, { places, heads, denseCount, epochs, l2Hashed = 2e-4, l2Dense = 1e-5, seed = 12345 }) {
  const hashed = new Float32Array(places * heads);
  const dense = new Float64Array(denseCount * heads);
  const bias = new Float64Array(heads);
  const gHashed = new Float32Array(hashed.length).fill(1e-6);
  const gDense = new Float64Array(dense.length).fill(1e-6);
  const gBias = new Float64Array(heads).fill(1e-6);
  const mean = { hashed: new Float32Array(hashed.length), dense: new Float64Array(dense.length), bias: new Float64Array(heads) };
  const balance = Array.from({ length: heads }, (_, head) => {
    const ones = examples.filter(({ targets }) => targets[head] === 1).length;
    const zeros = examples.filter(({ targets }) => targets[head] === 0).length;
    return ones === 0 ? 1 : Math.sqrt(zeros / ones);
  });
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const order = examples.map((_, index) => index);
  let kept = 0;
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (let index = order.length - 1; index > 0; index -= 1) {
      const other = Math.floor(random() * (index + 1));
      [order[index], order[other]] = [order[other], order[index]];
    }
    for (const index of order) step(examples[index]);
    if (epoch < epochs / 2) continue;
    kept += 1;
    for (let at = 0; at < hashed.length; at += 1) mean.hashed[at] += hashed[at];
    for (let at = 0; at < dense.length; at += 1) mean.dense[at] += dense[at];
    for (let at = 0; at < heads; at += 1) mean.bias[at] += bias[at];
  }
  for (const part of Object.values(mean)) for (let at = 0; at < part.length; at += 1) part[at] /= kept;
  return mean;

  function step({ hashed: places, dense: values, targets, weight, offset }) {
    const scale = 1 / Math.sqrt(places.length || 1);
    for (let head = 0; head < heads; head += 1) {
      const target = targets[head];
      if (target !== 0 && target !== 1) continue;
      let z = 0;
      for (const place of places) z += hashed[place * heads + head];
      z = z * scale + bias[head] + (offset?.[head] ?? 0);
      for (let at = 0; at < denseCount; at += 1) if (values[at] !== 0) z += dense[at * heads + head] * values[at];
      const error = (1 / (1 + Math.exp(-z)) - target) * (target === 1 ? balance[head] : 1) * weight;
      gBias[head] += error * error;
      bias[head] -= (RATE * error) / Math.sqrt(gBias[head]);
      for (const place of places) {
        const at = place * heads + head;
        const slope = error * scale + l2Hashed * hashed[at];
        gHashed[at] += slope * slope;
        hashed[at] -= (RATE * slope) / Math.sqrt(gHashed[at]);
      }
      for (let feature = 0; feature < denseCount; feature += 1) {
        if (values[feature] === 0) continue;
        const at = feature * heads + head;
        const slope = error * values[feature] + l2Dense * dense[at];
        gDense[at] += slope * slope;
        dense[at] -= (RATE * slope) / Math.sqrt(gDense[at]);
      }
    }
  }
}

/** Log-odds by head. */
export function logitsOf(weights, { hashed, dense, offset }, heads) {
  const scale = 1 / Math.sqrt(hashed.length || 1);
  return Array.from({ length: heads }, (_, head) => {
    let z = 0;
    for (const place of hashed) z += weights.hashed[place * heads + head];
    z = z * scale + weights.bias[head] + (offset?.[head] ?? 0);
    for (let at = 0; at < dense.length; at += 1) if (dense[at] !== 0) z += weights.dense[at * heads + head] * dense[at];
    return z;
  });
}
