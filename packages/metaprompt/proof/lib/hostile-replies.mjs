const MOODS = ['neutral', 'focused', 'empathetic', 'curious', 'assertive', 'analytical', 'frustrated', 'creative'];
const GOOD = { adjustmentRationale: 'because', recoveryStrategy: 'slow down' };

/**
 * Replies a model might send, good and bad. `expected` is what the state must become, worked out here and not by the
 * code under test: `undefined` for a reply that must change nothing and must be told as a failure; else the mood and the
 * imprint keys afterwards, and `refusals`, how many parts of it must be refused with a reason.
 */
export function hostileReply(random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const noise = (length) => Array.from({ length }, () => String.fromCharCode(32 + Math.floor(random() * 95))).join('');
  const mood = pick(MOODS.slice(1));
  const good = { ...GOOD, updatedGmiMood: mood };
  const kinds = [
    () => ({ kind: 'valid', text: JSON.stringify(good), expected: { mood } }),
    () => ({ kind: 'valid in a fence', text: `\`\`\`json\n${JSON.stringify(good, null, 1)}\n\`\`\``, expected: { mood } }),
    () => ({
      kind: 'valid after thinking',
      text: `<think>{"updatedGmiMood":"${pick(MOODS)}"}</think>${JSON.stringify(good)}`,
      expected: { mood },
    }),
    () => ({ kind: 'valid in capitals', text: JSON.stringify({ ...good, updatedGmiMood: mood.toUpperCase() }), expected: { mood } }),
    () => ({ kind: 'noise', text: noise(1 + Math.floor(random() * 400)).replaceAll('{', '(') }),
    () => ({ kind: 'empty', text: pick(['', ' ', '\n\n', '\u0000', '\ufeff']) }),
    () => ({ kind: 'refusal in prose', text: 'I am sorry, I cannot do that.' }),
    () => {
      const text = JSON.stringify(good);
      return { kind: 'cut off', text: text.slice(0, 1 + Math.floor(random() * (text.length - 2))) };
    },
    () => ({
      kind: 'unknown mood',
      text: JSON.stringify({
        ...good,
        updatedGmiMood: pick(['helpful', 'patient', 'careful', 'engaging', 'playful', 'angry', 'moody']),
      }),
    }),
    () => ({ kind: 'mood of another type', text: JSON.stringify({ ...good, updatedGmiMood: pick([7, true, ['a', 'b'], { is: mood }]) }) }),
    () => ({ kind: 'blank mood', text: JSON.stringify({ ...good, updatedGmiMood: '' }), expected: { mood: 'neutral' } }),
    () => ({
      kind: 'unknown skill',
      text: JSON.stringify({ ...good, updatedUserSkillLevel: pick(['wizard', 99]) }),
      expected: { mood, refusals: 1 },
    }),
    () => ({
      kind: 'unknown complexity',
      text: JSON.stringify({ ...good, updatedTaskComplexity: pick(['impossible', -1, 'x'.repeat(5000)]) }),
      expected: { mood, refusals: 1 },
    }),
    () => ({
      kind: 'skill or complexity of another type',
      text: JSON.stringify({
        ...good,
        [pick(['updatedUserSkillLevel', 'updatedTaskComplexity'])]: pick([{}, { is: 'expert' }, ['a', 'b']]),
      }),
    }),
    () => ({ kind: 'explanations missing', text: JSON.stringify({ updatedGmiMood: mood }), expected: { mood } }),
    () => ({ kind: 'empty object', text: '{}' }),
    () => ({ kind: 'list', text: JSON.stringify([good, good]) }),
    () => ({ kind: 'scalar', text: pick(['null', 'true', '42', '"focused"', 'NaN', 'Infinity', '1e999']) }),
    () => ({ kind: 'other fields', text: JSON.stringify({ mood, state: good.adjustmentRationale, [noise(5).replaceAll('"', '')]: 1 }) }),
    () => ({ kind: 'only thinking', text: `<think>${JSON.stringify(good)}</think>` }),
    () => ({ kind: 'prototype as root key', text: `{"__proto__":${JSON.stringify(good)},"constructor":{"prototype":{"polluted":true}}}` }),
    () => ({
      kind: 'prototype beside good fields',
      text: `{"__proto__":{"polluted":true},${JSON.stringify(good).slice(1)}`,
      expected: { mood },
    }),
    () => ({
      kind: 'prototype as imprint key',
      text: `{"newMemoryImprints":[{"key":"${pick(['__proto__', 'constructor', 'prototype'])}","value":{"polluted":true}}],${JSON.stringify(good).slice(1)}`,
      expected: { mood, refusals: 1 },
    }),
    () => ({
      kind: 'reserved imprint key',
      text: JSON.stringify({
        ...good,
        newMemoryImprints: [
          {
            key: pick([
              'currentGmiMood',
              'currentUserContext',
              'currentTaskContext',
              'gmi_sentiment_history',
              'manual_trigger_gmi_frustration_recovery',
              'metaprompt_turns',
              'imprint:x',
            ]),
            value: 1,
          },
          { key: 'topic', value: 'kept' },
        ],
      }),
      expected: { mood, imprints: ['topic'], refusals: 1 },
    }),
    () => ({
      kind: 'oversized imprint',
      text: JSON.stringify({ ...good, newMemoryImprints: [{ key: pick(['k'.repeat(200), 'big']), value: 'v'.repeat(5000) }] }),
      expected: { mood, refusals: 1 },
    }),
    () => ({
      kind: 'flood of imprints',
      text: JSON.stringify({ ...good, newMemoryImprints: Array.from({ length: 40 }, (_, index) => ({ key: `k${index}`, value: index })) }),
      expected: { mood, imprints: Array.from({ length: 8 }, (_, index) => `k${index}`), refusals: 1 },
    }),
    () => ({
      kind: 'imprints of another shape',
      text: JSON.stringify({ ...good, newMemoryImprints: pick([7, [null], [[1]], [{ value: 1 }], [{ key: {}, value: 1 }]]) }),
    }),
    () => ({
      kind: 'nested too deep',
      text: `{"newMemoryImprints":[{"key":"deep","value":${'['.repeat(300)}${']'.repeat(300)}}],${JSON.stringify(good).slice(1)}`,
      expected: { mood, refusals: 1 },
    }),
    () => ({ kind: 'a million brackets', text: '['.repeat(20_000) }),
    () => ({
      kind: 'placeholders as values',
      text: JSON.stringify({ ...good, updatedGmiMood: '{{current_mood}}', adjustmentRationale: '$& $1 {{user_skill}}' }),
    }),
    () => ({ kind: 'HTML', text: `<!doctype html><p onclick="x">${noise(40).replaceAll('{', '(').replaceAll('[', '(')}</p>` }),
    () => ({ kind: 'broken surrogates', text: JSON.stringify({ ...good, updatedGmiMood: '\ud800' }) }),
  ];
  const chosen = pick(kinds)();
  return { ...chosen, expected: chosen.expected && { imprints: [], refusals: 0, ...chosen.expected } };
}
