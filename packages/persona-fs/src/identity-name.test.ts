import { expect, test } from 'vitest';
import { identityName } from './identity-name.js';

test.each([
  ['# Identity\n- **Name:** Pixel\n- **Creature:** fox', 'Pixel'],
  ['**Name**: Pixel the Fox  \n', 'Pixel the Fox'],
  ['* Name: "Pixel"', 'Pixel'],
  ['---\r\nname: Pixel\r\n---\r\n', 'Pixel'],
  ['- **Name:** **Pixel**', 'Pixel'],
  ['__Name:__ Pixel', 'Pixel'],
  ['- *Name:* Pixel', 'Pixel'],
  ['_Name_: _Pixel_', 'Pixel'],
  ['- **Name：** 小狐', '小狐'],
])('%j names somebody', (text, name) => {
  expect(identityName(text)).toBe(name);
});

test.each([
  '',
  'You are Pixel.',
  '- **Name:**\n  *(pick something you like)*',
  '- **Name:** _(pick something you like)_',
  '- Name: [your name]',
  '- Name: <name>',
  '- Name: {{name}}',
  '- Filename: x',
  '- **Name:** TBD',
  `Name: ${'x'.repeat(90)}`,
])('%j names nobody', (text) => {
  expect(identityName(text)).toBeUndefined();
});
