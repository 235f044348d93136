// Turns of phrase that give orders to a model, and characters that hide text from a human. Ours; meant to be short.
const ORDERS = [
  /\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:previous|earlier|above|prior|all|any|your)\b.{0,30}\b(?:instructions?|rules?|prompts?|guidelines?|limits?)\b/i,
  /^[\s>*+-]*(?:system|developer|assistant)\s*(?:prompt|message)?\s*:/i,
  /<\/?\s*(?:system|instructions?|memory[\w-]*|im_start|im_end)\b/i,
  /\byou (?:are now|must now|will now)\b|\bfrom now on,? (?:you|always|never)\b|\bnew instructions?\b/i,
];
const HIDDEN = /[\u202A-\u202E\u2066-\u2069]|[\u{E0000}-\u{E007F}]/u;

/**
 * The lines of notes that read like orders or hide something, from 1. They stay in the notes and in the prompt, framed
 * as data; this only tells the owner where to look.
 */
export function findSuspicious(notes: string): readonly number[] {
  return notes
    .split('\n')
    .flatMap((line, index) => (HIDDEN.test(line) || ORDERS.some((order) => order.test(line.slice(0, 2_000))) ? [index + 1] : []));
}
