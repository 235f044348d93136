import { expect, test } from 'vitest';
import { findLiterals } from './literals.js';

const strong = (text: string) => findLiterals(text).flatMap(({ start, end, strong }) => (strong ? [text.slice(start, end)] : []));
const all = (text: string) => findLiterals(text).map(({ start, end }) => text.slice(start, end));

test.each([
  ['the order is ORD-48213-XK, thanks', ['ORD-48213-XK']],
  ['it leaves on 14 March 2031 at 7:30 pm', ['14 March 2031', '7:30 pm']],
  ['meet me on Thursday', ['Thursday']],
  ['by monday please', ['monday']],
  ['the meeting moved to 2031-05-02T14:30:00+02:00', ['2031-05-02T14:30:00+02:00']],
  ['call (555) 010-9999 or +44 20 7946 0018.', ['(555) 010-9999', '+44 20 7946 0018']],
  ['write to mila.k@example.org.', ['mila.k@example.org']],
  ['see https://status.example.com/a?b=1, please', ['https://status.example.com/a?b=1']],
  ['put it into /srv/data/input.csv', ['/srv/data/input.csv']],
  ['open ./src/index.ts and C:\\temp\\a.log', ['./src/index.ts', 'C:\\temp\\a.log']],
  ['edit settings.yaml first', ['settings.yaml']],
  ['set MAX_RETRIES and fooBar', ['MAX_RETRIES', 'fooBar']],
  ['it costs $ 54.99 or 48,50 €', ['$ 54.99', '48,50 €']],
  ['we stay 3 nights in room 12', ['3 nights', 'room 12']],
  ['the code is 4417', ['4417']],
  ['version v2.14.0-rc.3 fails', ['version v2.14.0-rc.3']],
  ['she said "green door" twice', ['"green door"']],
  ['ask @jorge about #design-review', ['@jorge', '#design-review']],
  ['a table at Olive Garden please', ['Olive Garden']],
  ['ship it to 6821 1st Ave', ['6821 1st Ave']],
  ['会議は3月14日です', ['会議は3月14日です']],
  ['Bestellnummer 88-1234-X liegt bei', ['88-1234-X']],
])('%s', (text, expected) => {
  expect(strong(text)).toEqual(expected);
});

test('ordinary words are no literals', () => {
  expect(all('could you please tell me what happens next')).toEqual([]);
});

test('a small number and a single name are literals, but weak ones', () => {
  expect(all('I have 3 cats and Pixel is the oldest')).toEqual(['3', 'Pixel']);
  expect(strong('I have 3 cats and Pixel is the oldest')).toEqual([]);
});
