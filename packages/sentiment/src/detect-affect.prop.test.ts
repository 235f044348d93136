import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectAffect } from './detect-affect.js';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(
      fc.constantFrom('not', 'good', 'bad', 'again', '`code`', '"quote"', 'but', '😡', 'why', '?', '!!!', "don't", '\n', '谢谢', 'nicht'),
      { maxLength: 40 },
    )
    .map((words) => words.join(' ')),
);
const language = fc.option(fc.constantFrom('en', 'es', 'fr', 'de', 'pt', 'it', 'nl', 'zh', 'ja', 'ru', 'de-AT', ''), { nil: undefined });

test('a reading keeps its ranges whatever the text', () => {
  fc.assert(
    fc.property(text, language, (message, spoken) => {
      const reading = detectAffect(message, { language: spoken });
      const { score, polarity } = reading;
      expect(score === null || (score >= -1 && score <= 1)).toBe(true);
      for (const value of [
        reading.intensity,
        reading.confidence,
        reading.arousal,
        reading.frustrated,
        reading.confused,
        reading.satisfied,
      ]) {
        expect(value >= 0 && value <= 1).toBe(true);
      }
      if (score === null) expect(polarity).toBe('neutral');
      else if (polarity === 'neutral') expect(Math.abs(score)).toBeLessThanOrEqual(0.05);
      else expect(polarity === 'positive' ? score : -score).toBeGreaterThan(0.05);
    }),
  );
});

test('the same text gives the same reading, and the input is not needed afterwards', () => {
  fc.assert(
    fc.property(text, (message) => {
      expect(detectAffect(message)).toEqual(detectAffect(message));
    }),
    { numRuns: 50 },
  );
});

test('apostrophes of either kind read alike', () => {
  fc.assert(
    fc.property(text, (message) => {
      const straight = `${message.replaceAll('’', "'")} it isn't`;
      const curly = straight.replaceAll("'", '’');
      expect(curly).not.toBe(straight);
      expect(detectAffect(curly).score).toEqual(detectAffect(straight).score);
      expect(detectAffect(`I don't like it. ${message}`, { language: 'en' }).score).toEqual(
        detectAffect(`I don’t like it. ${message}`, { language: 'en' }).score,
      );
    }),
    { numRuns: 50 },
  );
});

test('text inside a code fence changes no event', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 80 }).filter((code) => !code.includes('`')),
      (code) => {
        const events = ({ frustrated, confused, satisfied }: ReturnType<typeof detectAffect>) => [
          frustrated >= 0.5,
          confused >= 0.5,
          satisfied >= 0.5,
        ];
        expect(events(detectAffect(`Rename it.\n\`\`\`\n${code} I hate this useless garbage, thanks\n\`\`\``))).toEqual([
          false,
          false,
          false,
        ]);
      },
    ),
    { numRuns: 60 },
  );
});
