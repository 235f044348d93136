import { splitText } from './split-text.js';
import { stemWords } from './stem-words.js';
import { stopWords } from './stop-words.js';

/**
 * Classes by the words of their names: the share of a class's words that the text holds, whole words only (the seed
 * found "run" in "trunk").
 */
export async function classifyByWords(
  text: string,
  classes: readonly string[],
  language: string,
): Promise<readonly { readonly classLabel: string; readonly score: number }[]> {
  const stop = stopWords(language);
  const words = async (piece: string): Promise<readonly string[]> => {
    const kept = splitText(piece.replace(/[_-]+/g, ' '), { language }).filter((word) => !stop.has(word));
    return stemWords(kept, { language });
  };
  const held = new Set(await words(text));
  const scores: { classLabel: string; score: number }[] = [];
  for (const classLabel of classes) {
    const wanted = await words(classLabel);
    const hits = wanted.filter((word) => held.has(word)).length;
    scores.push({ classLabel, score: wanted.length === 0 ? 0 : hits / wanted.length });
  }
  return scores;
}
