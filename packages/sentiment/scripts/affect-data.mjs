// Labelled messages: loading, grouping near-paraphrases, folds.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Sources whose licence lets them evaluate only; their labels never reach a shipped weight. */
export const EVALUATE_ONLY = new Set(['sgd', 'senti4sd']);
/** Messages that someone wrote to an assistant. */
export const TO_ASSISTANT = new Set(['clinc150', 'hwu64', 'ms-chitchat', 'sgd']);

export function loadMessages(folders) {
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .flatMap((name) =>
        readFileSync(join(folder, name), 'utf8')
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map((line) => JSON.parse(line)),
      ),
  );
}

const PARAPHRASED = ['hwu64', 'clinc150', 'ms-chitchat'];

/** The group of each message: near-paraphrases (half of their words shared) hang together, so that none is on both sides of a fold. */
export function groupMessages(items) {
  const parent = items.map((_, index) => index);
  const find = (index) => {
    let at = index;
    while (parent[at] !== at) at = parent[at] = parent[parent[at]];
    return at;
  };
  for (const source of PARAPHRASED) {
    const members = items.flatMap((item, index) => (item.source === source ? [index] : []));
    const words = new Map(members.map((index) => [index, wordSet(items[index].text)]));
    members.forEach((a, position) => {
      for (const b of members.slice(position + 1)) {
        if (items[a].lang === items[b].lang && jaccard(words.get(a), words.get(b)) >= 0.5) parent[find(a)] = find(b);
      }
    });
  }
  return items.map((_, index) => items[find(index)].id);
}

function wordSet(text) {
  const lower = text.toLowerCase();
  if (/[\u3400-\u9fff]/.test(lower)) return new Set([...lower].map((character, at, all) => character + (all[at + 1] ?? '')));
  return new Set(lower.match(/[\p{L}\p{N}']+/gu) ?? [lower]);
}

function jaccard(a, b) {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  return shared / (a.size + b.size - shared);
}

export function foldOf(group, folds) {
  let hash = 0x811c9dc5;
  for (const character of `fold|${group}`) hash = Math.imul(hash ^ character.codePointAt(0), 0x01000193);
  hash ^= hash >>> 15;
  return ((Math.imul(hash, 0x2c1b3c6d) ^ (hash >>> 13)) >>> 0) % folds;
}

/** Targets in the order of the model's heads; `null` is left out of that head's training. */
export function targetsOf({ labels }) {
  const polarity = Array.isArray(labels.polarity) ? null : labels.polarity;
  const is = (name) => (polarity === null || polarity === undefined ? null : Number(polarity === name));
  return [labels.frustrated, labels.confused, labels.satisfied, is('pos'), is('neg')];
}
