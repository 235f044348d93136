import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBytes, encodeBytes } from './bytes-codec.js';
import { planEdit } from './edit-notes.js';
import { frameNotes } from './frame-notes.js';
import { appendEntries, encodeEntry, readEntries } from './notes.js';
import { createKeyIndex, createNotesDraft } from './notes-draft.js';

const nasty = fc.string({
  unit: fc.constantFrom('-', ' ', '\n', '\r\n', '\r', '\t', 'a', 'é', '# ', '- ', '~~~', '\uFEFF', '\u2028', '😀', '  ', '$&', "$'"),
  maxLength: 24,
});
const anyText = fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 24 }), fc.string({ unit: 'grapheme', maxLength: 24 }));
const entryText = anyText.map((text) => text.trim()).filter((text) => text !== '');

test('an entry read back is the entry that was written, whatever is in it', () => {
  fc.assert(
    fc.property(entryText, (text) => {
      expect(readEntries(encodeEntry(text))).toMatchObject([{ text }]);
    }),
  );
});

test('entries keep apart in a file of either style, whatever is in them', () => {
  fc.assert(
    fc.property(
      fc.array(entryText, { minLength: 1, maxLength: 5 }),
      fc.constantFrom('', '- old\n', '* old\r\n', '# Notes\n\nProse.\n'),
      (texts, start) => {
        const file = appendEntries(start, texts);
        expect(
          readEntries(file)
            .slice(-texts.length)
            .map(({ text }) => text),
        ).toEqual(texts);
        expect(file.startsWith(start.trimEnd())).toBe(true);
      },
    ),
  );
});

test('bytes come back as they were, valid or not', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      expect(encodeBytes(decodeBytes(Buffer.from(bytes)))).toEqual(Buffer.from(bytes));
    }),
  );
});

test('an edit leaves every byte outside its lines alone, also those that are no text', () => {
  const line = fc
    .uint8Array({ maxLength: 20 })
    .map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10 && byte !== 13 && byte !== 0)));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), fc.array(line, { maxLength: 6 }), (above, below) => {
      const join = (lines: readonly Buffer[]): Buffer => Buffer.concat(lines.flatMap((bytes) => [bytes, Buffer.from('\n')]));
      const file = decodeBytes(Buffer.concat([join(above), Buffer.from('- likes UNIQUE-WORD tea\n'), join(below)]));
      fc.pre(file.split('UNIQUE-WORD').length === 2);
      const plan = planEdit(file, { action: 'replace', text: 'UNIQUE-WORD', with: '$& $$ $`' });
      if (plan.outcome !== 'changed') throw new Error(plan.outcome);
      expect(encodeBytes(plan.text)).toEqual(Buffer.concat([join(above), Buffer.from('- likes $& $$ $` tea\n'), join(below)]));
    }),
  );
});

test('no framed text closes its frame or opens a heading', () => {
  fc.assert(
    fc.property(
      anyText.filter((text) => text.trim() !== ''),
      (text) => {
        const framed = frameNotes(text, 'your own notes');
        const [, fence = ''] = /\n(~+)\n/.exec(framed) ?? [];
        const body = framed.slice(framed.indexOf(fence) + fence.length, -fence.length);
        expect(body).not.toContain(fence);
        expect(body.split('\n').some((each) => /^\s{0,3}#/.test(each))).toBe(false);
      },
    ),
  );
});

test('a draft that grows entry by entry equals one that is read anew each time', () => {
  const index = createKeyIndex();
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'A.', 'b', ' b', 'c d', 'c  d', '- e'), { maxLength: 12 }), (texts) => {
      let file = '';
      for (const text of texts) {
        const warm = createNotesDraft(file, index);
        const cold = createNotesDraft(file, createKeyIndex());
        expect(warm.apply({ action: 'add', text }).outcome).toBe(cold.apply({ action: 'add', text }).outcome);
        expect(warm.text).toBe(cold.text);
        file = warm.text;
      }
    }),
  );
});
