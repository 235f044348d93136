import { InvalidArgumentError, type Json, type TrainingItem } from '@x/core';

/** A trained text classifier; JSON. */
export interface BayesModel {
  readonly [key: string]: Json;
  readonly type: 'text_classifier_naive_bayes';
  readonly texts: { readonly [label: string]: number };
  readonly words: { readonly [label: string]: { readonly [word: string]: number } };
  readonly vocabulary: number;
}

/** Added to each count, as in the seed. */
const SMOOTHING = 0.05;

/** Counts words by label; the same words must be cut and stemmed the same way for {@link bayesScores}. */
export function trainBayes(items: readonly { readonly words: readonly string[]; readonly label: TrainingItem['label'] }[]): BayesModel {
  const texts: Record<string, number> = Object.create(null);
  const words: Record<string, Record<string, number>> = Object.create(null);
  const vocabulary = new Set<string>();
  for (const item of items) {
    texts[item.label] = (texts[item.label] ?? 0) + 1;
    const counts: Record<string, number> = words[item.label] ?? Object.create(null);
    words[item.label] = counts;
    for (const word of item.words) {
      counts[word] = (counts[word] ?? 0) + 1;
      vocabulary.add(word);
    }
  }
  return { type: 'text_classifier_naive_bayes', texts, words, vocabulary: vocabulary.size };
}

/** Posterior of each label; they sum to 1. `only` limits them to some labels. */
export function bayesScores(
  model: BayesModel,
  words: readonly string[],
  only: readonly string[],
): readonly { readonly classLabel: string; readonly score: number }[] {
  const labels = Object.keys(model.texts).filter((label) => only.length === 0 || only.includes(label));
  const total = Object.values(model.texts).reduce((sum, count) => sum + count, 0);
  const logs = labels.map((label) => {
    const counts = new Map(Object.entries(model.words[label] ?? {}));
    const size = [...counts.values()].reduce((sum, count) => sum + count, 0) + SMOOTHING * Math.max(1, model.vocabulary);
    return words.reduce(
      (sum, word) => sum + Math.log(((counts.get(word) ?? 0) + SMOOTHING) / size),
      Math.log((model.texts[label] ?? 0) / total),
    );
  });
  const top = Math.max(...logs);
  const sum = logs.reduce((all, log) => all + Math.exp(log - top), 0);
  return labels
    .map((classLabel, index) => ({ classLabel, score: Math.exp((logs[index] ?? 0) - top) / sum }))
    .sort((a, b) => b.score - a.score);
}

/** Checks a model that was stored as JSON. @throws {@link InvalidArgumentError} it is none. */
export function readBayes(value: Json): BayesModel {
  const model = value as Partial<BayesModel> | null;
  if (typeof model !== 'object' || model === null || model.type !== 'text_classifier_naive_bayes' || !model.texts || !model.words) {
    throw new InvalidArgumentError('This is no stored text classifier. Pass what saveTrainedModel returned.');
  }
  return model as BayesModel;
}
