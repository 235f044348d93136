import { type ClassificationResult, plainName } from '@x/core';
import { ModelReplyError } from './not-supported-error.js';
import { unit as unitOf } from './turn-reading.js';

/** A number from 0 to 1, also as text; `undefined` for what is none. */
export function unit(value: unknown): number | undefined {
  return unitOf(typeof value === 'string' && value.trim() !== '' ? Number(value) : value);
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

/**
 * Keeps what is among the candidates, in whichever case; scores that the model left out are 0 (the seed made some up).
 *
 * @param multiLabel - Else a list stands for its first class.
 */
export function readClasses(
  reply: { bestClass?: unknown; confidence?: unknown; allScores?: unknown },
  candidates: readonly string[],
  multiLabel: boolean,
): ClassificationResult {
  const meant = (label: unknown): string | undefined => {
    if (typeof label !== 'string' || candidates.includes(label)) return label as string | undefined;
    const alike = candidates.filter((candidate) => plainName(candidate.trim()) === plainName(label.trim()));
    return alike.length === 1 ? alike[0] : undefined;
  };
  const listed = new Map(
    (Array.isArray(reply.allScores) ? reply.allScores : []).flatMap((item: { classLabel?: unknown; score?: unknown }) => {
      const label = meant(item?.classLabel);
      return label === undefined ? [] : [[label, unit(item.score) ?? 0] as const];
    }),
  );
  const confidences = (Array.isArray(reply.confidence) ? reply.confidence : [reply.confidence]).map((value) => unit(value) ?? 0.5);
  const chosen = (Array.isArray(reply.bestClass) ? reply.bestClass : [reply.bestClass]).flatMap((label, index) => {
    const name = meant(label);
    return name === undefined ? [] : [{ name, confidence: confidences[index] ?? 0.5 }];
  });
  const [first] = chosen;
  if (first === undefined && !(multiLabel && Array.isArray(reply.bestClass))) throw new ModelReplyError('Classification');
  for (const { name, confidence } of multiLabel ? chosen : chosen.slice(0, 1)) if (!listed.has(name)) listed.set(name, confidence);
  const allScores = candidates.map((classLabel) => ({ classLabel, score: listed.get(classLabel) ?? 0 })).sort((a, b) => b.score - a.score);
  return multiLabel || first === undefined
    ? { bestClass: chosen.map(({ name }) => name), confidence: chosen.map(({ confidence }) => confidence), allScores }
    : { bestClass: first.name, confidence: first.confidence, allScores };
}
