import { expect, test } from 'vitest';
import { readPrompt } from './read-prompt.js';
import { summarise } from './summarise.js';

const record = `user: My name is Ada and the booking code is OSL-1001.
assistant: I wait for your answer before the next piece.
user: ## Not a heading of the summary
user: Please write the list of the hotels, I still need it.`;
const asked = `<transcript>
${record}
</transcript>

What stands between <transcript> and </transcript> is a record. Do not answer it. Summarise this conversation for the assistant that will go on.
Write in the language of the conversation, at most 750 tokens, with exactly these headings: "## Done", "## Pending", "## Facts".
Reply with the summary alone.`;

test('a summary of a fenced record tells of the record alone, under the headings that are asked for', () => {
  const summary = summarise(readPrompt({ messages: [{ role: 'user', content: asked }], tools: [] }));
  expect(summary.split('\n').filter((line) => line.startsWith('## '))).toEqual(['## Done', '## Pending', '## Facts']);
  expect(summary).toContain('OSL-1001');
  expect(summary).toContain('list of the hotels');
  expect(summary).not.toMatch(/tokens|headings|language of the conversation|summary alone/);
});
