/**
 * Facts to plant in conversations: a sentence and the literal in it that may not be lost. They were written down before
 * the extractor was measured on them; when one is missed, the extractor is at fault, not the list.
 */
const NAMES = ['Ingrid', 'Tobias', 'Mei-Ling', 'Okonkwo', 'Rafael', 'Soraya', 'Wim', 'Yuki', 'Zelda', 'Bartholomew'];
const TOWNS = ['Bruges', 'Oulu', 'Kyoto', 'Valparaíso', 'Tromsø', 'Windhoek', 'Perth', 'Lviv', 'Cusco', 'Galway'];
const THINGS = [
  'oak table',
  'blue kettle',
  'night train',
  'green door',
  'tin roof',
  'paper lantern',
  'second garage',
  'left engine',
  'old mill',
  'copper wire',
];

/** @param number - Each number gives another fact; neighbours differ in kind. */
export function plantedFact(number) {
  const name = NAMES[number % NAMES.length];
  const town = TOWNS[(number * 3 + 1) % TOWNS.length];
  const thing = THINGS[(number * 7 + 2) % THINGS.length];
  const n = 1000 + number * 37;
  const kinds = [
    () => ({ by: 'user', text: `My policy number is HX-${n}-Q.`, literal: `HX-${n}-Q` }),
    () => ({ by: 'user', text: `By the way, the gate opens with ${n}#.`, literal: `${n}#` }),
    () => ({
      by: 'assistant',
      text: `Noted: the appointment is on ${1 + (number % 28)} October 20${30 + (number % 60)}, at ${8 + (number % 10)}:${10 + (number % 50)}.`,
      literal: `${1 + (number % 28)} October 20${30 + (number % 60)}`,
    }),
    () => ({
      by: 'user',
      text: `Please keep the draft in /home/${name.toLowerCase()}/notes/${n}.md for now.`,
      literal: `/home/${name.toLowerCase()}/notes/${n}.md`,
    }),
    () => ({ by: 'user', text: `We have decided to go with the ${thing} from lot ${n}.`, literal: `${thing} from lot ${n}` }),
    () => ({ by: 'user', text: `Actually, make that ${(n % 90) + 10} guests, not ${(n % 7) + 2}.`, literal: `${(n % 90) + 10} guests` }),
    () => ({
      by: 'assistant',
      text: `I'll send the contract to ${name.toLowerCase()}.${n}@example.org before noon.`,
      literal: `${name.toLowerCase()}.${n}@example.org`,
    }),
    () => ({
      by: 'user',
      text: `Don't forget that ${name} ${town} still owes us ${n} euros.`,
      literal: `${name} ${town} still owes us ${n} euros`,
    }),
    () => ({ by: 'tool', text: `{"status":"ok","booking":{"reference":"BK${n}ZT","town":"${town}"}}`, literal: `BK${n}ZT` }),
    () => ({ by: 'user', text: `my sister in law's flight is KL${n} and she lands around half past nine`, literal: `KL${n}` }),
    () => ({
      by: 'user',
      text: `The colour code we agreed on is #${(n * 4099).toString(16).padStart(6, '0').slice(-6)}.`,
      literal: `#${(n * 4099).toString(16).padStart(6, '0').slice(-6)}`,
    }),
    () => ({
      by: 'assistant',
      text: `The build of commit ${(n * 7919).toString(16)}f3 failed on the ${thing} test.`,
      literal: `${(n * 7919).toString(16)}f3`,
    }),
    () => ({ by: 'user', text: `Set RETRY_LIMIT_${n} to 12 in the staging cluster.`, literal: `RETRY_LIMIT_${n}` }),
    () => ({ by: 'user', text: `The landlord wants $${n}.50 a month, heating included.`, literal: `$${n}.50` }),
    () => ({ by: 'user', text: `we measured ${n / 10} cm between the posts`, literal: `${n / 10} cm` }),
    () => ({
      by: 'assistant',
      text: `As promised, version ${number % 9}.${number % 31}.${n} ships with the fix.`,
      literal: `${number % 9}.${number % 31}.${n}`,
    }),
    () => ({ by: 'user', text: `Call ${name} on +31 20 555 ${n} when the parcel is in ${town}.`, literal: `+31 20 555 ${n}` }),
    () => ({
      by: 'tool',
      text: `Wrote 14 rows.\nArchive: s3://bucket-${n}/exports/${town.toLowerCase()}.parquet\nDone in 3 s.`,
      literal: `s3://bucket-${n}/exports`,
    }),
    () => ({
      by: 'user',
      text: `Our son ${name} turned ${(number % 17) + 1} on 20${10 + (number % 20)}-0${1 + (number % 9)}-1${number % 10}.`,
      literal: `20${10 + (number % 20)}-0${1 + (number % 9)}-1${number % 10}`,
    }),
    () => ({ by: 'user', text: `订单号是 SZ${n}，请寄到${town}。`, literal: `SZ${n}` }),
  ];
  return { number, ...kinds[number % kinds.length]() };
}

/** Literals of the real dialogues in abcd-sample.jsonl that a later turn may need: read off by hand. */
export const DIALOGUE_LITERALS = {
  'abcd-3592': ['wrong size', 'customer1', 'customer@example.com', '0000000000', 'bronze', 'November', '90 days', '(000) 000-0000'],
  'abcd-9489': ['status of a refund', 'Customer B', '0000000000', 'less than a week'],
  'abcd-3695': ['promo code', 'hats for my cat', '7 days'],
};
