import { expect, test } from 'vitest';
import { isEmptyChecklist, itemKey, readChecklist } from './checklist.js';

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
  '> > # twice\n',
  'Tasks\n=====\n',
  'Tasks\n-----\n',
  'Example:\n\n```\n- check mail\n```',
  'For example:\n~~~\nx\n~~~',
  '[//]: # (comment)',
  '[link]: https://example.org "title"',
  '| Task | When |\n|---|---|\n',
  '| Task | When |\n| :-- | --: |\n|  |  |\n',
  '<br>',
  '<br/>\n&nbsp;\n',
  '<details></details>',
  '<details><summary>Tasks</summary></details>',
  '<h2>Tasks</h2>',
  '- none',
  '(none)',
  '- (empty)',
  '- _none_',
  'N/A',
  '- ...',
  '- [ ] …',
  'No tasks.',
  '- [ ] No tasks yet',
  'Nothing to do.',
  '- Nothing scheduled right now.',
  '- [-] cancelled',
  '- [✓] done',
  '- [ ] ~~cancelled~~',
  '- [ ] <!-- add a task -->',
  '- [x] a\n  more words',
  '- [x] a\n\n  more words\n  - a detail\n',
  '1. [x] a\n   more\n2) [x] b',
  '* [x] a\n  - [x] b',
  '- ~~pay rent~~\n  by Friday',
  '> - [x] done in a quote',
  'Keep this file empty (or with only comments) to skip heartbeat API calls.',
  '# HEARTBEAT.md\n\nKeep this file empty (or with only comments) to skip heartbeat API calls.\n\nAdd tasks below when you want the agent to check something periodically.\n',
  '- Add your tasks here',
  'No recurring heartbeat tasks yet.',
  '# Heartbeat Tasks\n\nThis file is checked every 30 minutes by your agent.\nAdd tasks below that you want the agent to work on periodically.\n\nIf this file has no tasks (only headers and comments), the agent will skip the heartbeat.\n\n## Active Tasks\n\n<!-- Add your periodic tasks below this line -->\n\n## Completed\n',
  '```markdown\n# Keep this file empty (or with only comments) to skip heartbeat API calls.\n```\n\n## Related\n\n- [Heartbeat config](/gateway/config-agents)\n',
  '## Active Tasks\n\n<!-- none -->\n\n## Completed\n\n- Send the weekly report\n- [x] Pay rent\n  by card\n',
  '# ✅ Done tasks\nWater the plants',
  '## See also\n* [Heartbeat](../heartbeat.md)\n* [Cron](https://example.org/cron)\n',
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
  '- [x] a\n  - [ ] b is open',
  '- [x] a\nmore words',
  '- [x] a\n- b\n  more words',
  'check the mail\n---\n',
  'Check this:\n```sh\ndf -h\n```',
  '| Task | When |\n|---|---|\n| mail | 9 |\n',
  '| just | a row |',
  '<b>check the mail</b>',
  '- none of the backups may be older than a day',
  '- No tasks may stay open over night: check them',
  '- TODO',
  '- Nothing may burn: look at the oven',
  '[check](https://example.org) the site',
  '- [?] is the oven off',
  'Keep this file in mind',
  '- Add tasks to the board',
  '    - indented',
  '#home check the mail',
  '#1 priority: call mum',
  '####### seven signs',
  '- [Status page](https://example.org)',
  '## Related\n- [Status page](https://example.org): is it green?',
  '## Related\n- [Heartbeat](x.md)\n\n## Tasks\n- [Status page](https://example.org)',
  'This file is checked in; tidy it',
  'This file is checked every hour: remind me to drink',
  'This file is read on each beat. Look for invoices in my inbox.',
  'If this file is empty, do not skip the inbox',
  'If this file is empty, skip the weather. Look for invoices in my inbox.',
  '## Completed\n- Pay rent\n\n## Active\n- Send the report',
  '## Completed\n- Pay rent\n\nActive\n------\n- Send the report',
  '## Completed\n- Pay rent\n\nActive\n======\n- Send the report',
  '## Completed\n- Pay rent\n\n**Active**\n- Send the report',
  '## Completed\n- Pay rent\n\n__Active:__\n- Send the report',
  '## Completed\n- Pay rent\n\nActive tasks:\n- Send the report',
  '## Completed\n- Pay rent\n\n---\n\n- Send the report',
  '# Done\n- Pay rent\n- [ ] Send the report',
  '## When done\n- Send the report',
  '## 未 done\n- Send the report',
  '## Не done\n- Send the report',
  '## Completed by Friday\n- Send the report',
  'If this file has no tasks, write some',
  '- If it is empty, fill it up and skip the oats',
])('%j asks for something', (text) => {
  expect(isEmptyChecklist(text)).toBe(false);
});

test('a list is read item by item, without what belongs to an item', () => {
  const text = '# Tasks\n- [ ] remind me once at noon:\n  call mum\n- [x] old\n1. check the mail\n   - only unread\n\nLook at the oven.\n';
  expect(readChecklist(text)).toEqual({
    open: ['remind me once at noon:', 'check the mail', 'only unread', 'Look at the oven.'],
    items: ['remind me once at noon:', 'check the mail', 'only unread'],
    done: [],
  });
  expect(readChecklist(undefined)).toEqual({ open: [], items: [], done: [] });
});

test('an item whose key is known as done is left out with what belongs to it', () => {
  const text = '- remind me once at noon: call mum\n  her number is new\n  - and ask for Bob\n- check the mail\n';
  const done = new Set([itemKey('Remind me once at  noon: call mum.')]);
  expect(readChecklist(text, done)).toEqual({
    open: ['check the mail'],
    items: ['check the mail'],
    done: ['remind me once at noon: call mum'],
  });
  expect(isEmptyChecklist('- call mum\n  today\n', new Set([itemKey('call mum')]))).toBe(true);
  expect(itemKey('call mum')).toMatch(/^[0-9a-f]{16}$/);
});

test('a long list is read in a moment', () => {
  const started = performance.now();
  for (const text of [
    '- [x] a\n  b\n'.repeat(50_000),
    '<'.repeat(100_000),
    '<!--'.repeat(50_000),
    '```\n'.repeat(20_001),
    '| a |\n'.repeat(50_000),
    '- '.repeat(100_000),
    '['.repeat(100_000),
    '> '.repeat(100_000),
  ])
    readChecklist(text);
  expect(performance.now() - started).toBeLessThan(3_000);
});
