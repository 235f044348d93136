/** Reads the corpus: `fit` is what the estimator's weights were fitted on, `report` is what its error is reported on. */
import { readdirSync, readFileSync } from 'node:fs';

const here = new URL('.', import.meta.url);

/** Kinds of text in the order of the README's table; the first part of a file's name decides. */
export const KINDS = {
  English: /^english/,
  Code: /^code/,
  JSON: /^(?:json|data)/,
  CJK: /^(?:chinese|japanese|korean)/,
  Base64: /^(?:base64|hex)/,
  'Other Latin': /^(?:german|french|spanish|polish|portuguese)/,
  'Other scripts': /^(?:russian|arabic|hindi|indic|greek|mixed)/,
};

export function kindOf(name) {
  return Object.keys(KINDS).find((kind) => KINDS[kind].test(name));
}

/**
 * Cuts every file of one half into pieces of at least `atLeast` tokens, at line breaks where there are any.
 *
 * @param count - Counts the tokens of a text.
 * @returns {{ name: string, kind: string, text: string, tokens: number }[]}
 */
export function samples(half, atLeast, count) {
  const folder = new URL(`${half}/`, here);
  return readdirSync(folder)
    .sort()
    .flatMap((name) =>
      pieces(readFileSync(new URL(name, folder), 'utf8'), atLeast, count).map((text) => ({
        name,
        kind: kindOf(name),
        text,
        tokens: count(text),
      })),
    );
}

function pieces(text, atLeast, count) {
  const units = text.split(/(?<=\n)/).flatMap((line) => (line.length > 1_200 ? line.match(/[\s\S]{1,600}/g) : [line]));
  const found = [];
  let piece = '';
  for (const unit of units) {
    piece += unit;
    if (count(piece) >= atLeast) {
      found.push(piece);
      piece = '';
    }
  }
  // What is left at the end belongs to the last piece.
  if (piece.trim() !== '') {
    if (found.length > 0) found[found.length - 1] += piece;
    else if (count(piece) >= atLeast) found.push(piece);
  }
  return found;
}
