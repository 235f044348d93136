import { expect, test } from 'vitest';
import { isEmptyChecklist } from './checklist.js';

test.each([
  undefined,
  '',
  ' \r\n\t',
  '\uFEFF',
  '# Heartbeat\n\n## Tasks\n',
  '<!-- add tasks here -->',
  '# Tasks\n<!--\n- water the plants\n-->\n',
  '<!-- never closed\n- water the plants',
  '```\n- example: check the mail\n```\n',
  '~~~md\n- example\n~~~',
  '# Tasks\n- \n* \n1.\n- [ ]\n',
  '- [x] remind Sam once at noon\n- [X] done\n',
  '- ~~pay rent~~',
  '---\n***\n___\n',
  '---\nowner: sam\n---\n# Tasks\n',
  '> # quoted heading\n>\n',
])('%j asks for nothing', (text) => {
  expect(isEmptyChecklist(text)).toBe(true);
});

test.each([
  'Check the mail',
  '- [ ] check the mail',
  '- check the mail',
  '<!-- hint --> check the mail',
  '```\nexample\n```\n- check the mail',
  '# Tasks\n1. 明日の予定',
  '- 📬',
  '- [x] done\n- [ ] open',
])('%j asks for something', (text) => {
  expect(isEmptyChecklist(text)).toBe(false);
});
