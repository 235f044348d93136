// The scripted server of the overhead proof, in a process of its own: two tool calls, then an answer.
import { startModelServer } from '@x/testkit';

const server = await startModelServer({
  record: false,
  script: ({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? { text: 'The sum is 5 and the product is 6.', usage: { inputTokens: 120, outputTokens: 14 } }
      : {
          toolCalls: [
            { name: 'add', arguments: { a: 2, b: 3 } },
            { name: 'multiply', arguments: { a: 2, b: 3 } },
          ],
          usage: { inputTokens: 100, outputTokens: 40 },
        },
});
process.send({ baseUrl: server.baseUrl });
process.on('message', () => void server.close().then(() => process.exit()));
