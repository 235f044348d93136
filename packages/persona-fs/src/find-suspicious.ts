// Turns of phrase that give orders to a model, and characters that hide text from a human. Ours; meant to be short.
const ORDERS = [
  /\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:previous|earlier|above|prior|all|any|your)\b.{0,30}\b(?:instructions?|rules?|prompts?|guidelines?|limits?)\b/i,
  /^[\s>*+#-]*(?:system|developer|assistant)\s*(?:prompt|message)?\s*:/i,
  /<\/?\s*(?:system|instructions?|memory[\w-]*|im_start|im_end)\b|<\|\w{1,30}\|>|\[\/?INST\]/i,
  /\byou (?:are now|must now|will now)\b|\bfrom now on,? (?:you|always|never)\b|\bnew instructions?\b/i,
];
const HIDDEN = /[\u202A-\u202E\u2066-\u2069]|[\u{E0000}-\u{E007F}]|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{2}/u;
/** A flag of a part of a country is spelled in such characters, and they show. */
const FLAG = /\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{2,6}\u{E007F}/gu;

/**
 * The lines of notes that read like orders or hide something, from 1. They stay in the notes and in the prompt, framed
 * as data; this only tells the owner where to look.
 */
export const findSuspicious = (notes: string): readonly number[] =>
  notes.split('\n').flatMap((line, index) => (HIDDEN.test(line.replace(FLAG, '')) || readsLikeOrder(line) ? [index + 1] : []));

/** Judged as a model reads it: wide letters are letters, and what nobody sees is not there. */
function readsLikeOrder(line: string): boolean {
  const start = line.slice(0, 2_000);
  const text = /[\u0080-\uFFFF]/.test(start) ? start.replace(/\p{DI}/gu, '').normalize('NFKC') : start;
  return ORDERS.some((order) => order.test(text));
}
