import { createMemoryStore } from '@x/agentos';
import { openInspector, personas } from '@x/cli';
import { createRandom, createScriptedModel } from '@x/testkit';

const QUESTIONS = [
  'What is the base case of a recursion, and why does it have to come first?',
  'This is terrible, I hate it and your answer is useless.',
  'I am confused. Which of the two lists is the smaller one here?',
  'Thank you, that worked great and I love it.',
  'Could you show that once more with a list of three numbers, and say what each call gives back?',
  'ok',
];
const REPLIES = [
  'It is the case that answers without calling itself. Without it the calls never end, so look for it before anything else.',
  'Let us take it gently. One step for now:\n\n1. Write the list down.\n2. Take its head away.\n3. Ask the same question about the rest.\n\nWhat is left after the second step?',
  'function sum(list) {\n  if (list.length === 0) return 0;\n  const [head, ...rest] = list;\n  return head + sum(rest);\n}\n\nThe first line is the base case. The last one calls itself with a smaller list.',
  'Yes.',
];

/**
 * Talks with the tutor for so many turns, through an inspector, with a scripted model.
 *
 * @param {{ store?: import('@x/agentos').IAgentStore, turns: number, seed?: number }} options
 * @returns {Promise<string>} The id of the session.
 */
export async function fillSession({ store = createMemoryStore(), turns, seed = 1 }) {
  const random = createRandom(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const model = createScriptedModel(({ messages }) => (messages[0]?.role === 'system' ? pick(REPLIES) : '{}'), { record: false });
  const endpoint = { model, offline: true, description: '', close: async () => undefined };
  const inspector = await openInspector({ store, endpoint, personas });
  const url = new URL(inspector.url);
  const post = (path, body) =>
    fetch(new URL(path, url), {
      method: 'POST',
      headers: { cookie: `inspector=${url.searchParams.get('token')}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  try {
    const { id } = await (await post('/api/sessions', { persona: 'tutor' })).json();
    for (let turn = 1; turn <= turns; turn += 1) {
      const answer = await (await post(`/api/session/${id}/turn`, { text: `${pick(QUESTIONS)} (${turn})` })).text();
      if (!answer.includes('"report"')) throw new Error(`turn ${turn}: ${answer.slice(0, 300)}`);
    }
    return id;
  } finally {
    await inspector.close();
  }
}
