import type { ClassificationResult } from '@x/core';
import { ModelReplyError } from './not-supported-error.js';

/** A number from 0 to 1; `undefined` for what is none. */
export function unit(value: unknown): number | undefined {
  const number = Number(value);
  return typeof value === 'boolean' || value === null || value === '' || !Number.isFinite(number)
    ? undefined
    : Math.max(0, Math.min(1, number));
}

/** The strings of a list. */
export function strings(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : []).filter((item): item is string => typeof item === 'string');
}

/** Words of a list, each with a score of its own or that of its side. */
export function tokensOf(value: unknown, side: 1 | -1): readonly { readonly token: string; readonly score: number }[] {
  return (Array.isArray(value) ? value : []).flatMap((item: unknown) => {
    if (typeof item === 'string') return [{ token: item, score: side }];
    const { token, score } = (item ?? {}) as { token?: unknown; score?: unknown };
    return typeof token === 'string' ? [{ token, score: typeof score === 'number' && Number.isFinite(score) ? score : side }] : [];
  });
}

/** Keeps what is among the candidates; scores that the model left out are 0 (the seed made some up). */
export function readClasses(
  reply: { bestClass?: unknown; confidence?: unknown; allScores?: unknown },
  candidates: readonly string[],
): ClassificationResult {
  const known = (label: unknown): label is string => typeof label === 'string' && candidates.includes(label);
  const listed = new Map(
    (Array.isArray(reply.allScores) ? reply.allScores : []).flatMap((item: { classLabel?: unknown; score?: unknown }) =>
      known(item?.classLabel) ? [[item.classLabel, unit(item.score) ?? 0] as const] : [],
    ),
  );
  const best = Array.isArray(reply.bestClass) ? reply.bestClass.filter(known) : reply.bestClass;
  const confidences = (Array.isArray(reply.confidence) ? reply.confidence : [reply.confidence]).map((value) => unit(value) ?? 0.5);
  if (Array.isArray(best)) {
    best.forEach((label, index) => {
      if (!listed.has(label)) listed.set(label, confidences[index] ?? 0.5);
    });
  } else if (known(best)) {
    if (!listed.has(best)) listed.set(best, confidences[0] ?? 0.5);
  } else throw new ModelReplyError('Classification');
  const allScores = candidates.map((classLabel) => ({ classLabel, score: listed.get(classLabel) ?? 0 })).sort((a, b) => b.score - a.score);
  return {
    bestClass: best,
    confidence: Array.isArray(best) ? best.map((_, index) => confidences[index] ?? 0.5) : (confidences[0] ?? 0.5),
    allScores,
  };
}
