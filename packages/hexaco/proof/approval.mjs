import { createMemoryStore } from '@x/core';
import { createAdaptPersonalityTool, hexacoHook, PersonalityMutationStore } from '@x/hexaco';
import { openLane } from '@x/runtime';
import { createRandom, createScriptedModel } from '@x/testkit';

const persona = { personalityTraits: { openness: 0.5 } };
const scope = { persona: 'p', user: 'u', session: 's' };

/** A turn that wants to change a trait, asked of a human, answered in another process; and sessions that come later. */
export default async function approval() {
  let nowMs = Date.UTC(2026, 0, 1);
  const clock = { now: () => nowMs, setTimeout: () => () => {} };
  const random = createRandom(20260307);
  const store = createMemoryStore({ clock, random });
  const open = async (script) => {
    const lane = await openLane({ store, scope, clock, random });
    const tool = createAdaptPersonalityTool({ ...persona, approve: true });
    return lane.session({ model: createScriptedModel(script), features: [hexacoHook({ persona })], tools: [tool] });
  };
  const call = {
    toolCalls: [{ id: 'c1', name: 'adapt_personality', arguments: { trait: 'openness', delta: 0.1, reasoning: 'asks for wild ideas' } }],
  };
  const first = await open([call]);
  const parked = await first.ask('surprise me');
  const before = (await first.state()).traits.openness ?? 0.5;
  // Another process: nothing is left but the store.
  const second = await open(['Gladly.', 'Again.']);
  const question = await second.parked();
  const resumed = await second.resume({ id: question.id, ok: true });
  const after = (await second.state()).traits.openness;
  const again = await second.resume({ id: question.id, ok: true }).then(
    () => 'accepted',
    ({ code }) => code,
  );
  const next = await second.ask('and now?');
  const history = new PersonalityMutationStore({ lane: await store.open(scope), ...persona, clock });
  const [mutation, ...others] = await history.list();
  nowMs += 14 * 86_400_000;
  const later = await new PersonalityMutationStore({
    lane: await store.open({ ...scope, session: 's2' }),
    ...persona,
    clock,
  }).startingTraits();
  const stranger = await new PersonalityMutationStore({
    lane: await store.open({ ...scope, user: 'v', session: 's' }),
    ...persona,
    clock,
  }).startingTraits();
  return [
    {
      claim: 'A change that needs a yes parks the turn and changes nothing until it comes',
      figure: `status ${parked.status}, openness ${before}, asked: ${question.prompt}`,
      limit: 'pending, 0.5',
      pass: parked.status === 'pending' && before === 0.5,
    },
    {
      claim: 'The answer is taken in another process, once, and the reply goes on',
      figure: `status ${resumed.status}, openness ${after.toFixed(3)}, the same answer again: ${again}`,
      limit: 'done, 0.6, refused',
      pass: resumed.status === 'done' && Math.abs(after - 0.6) < 1e-9 && again !== 'accepted',
    },
    {
      claim: 'The next turn is told of it, and the prefix stays byte for byte',
      figure: `volatile: ${next.parts.volatile.traits?.split('\n')[1] ?? 'nothing'}`,
      limit: 'a note on openness; equal stable parts',
      pass: next.parts.volatile.traits?.includes('Openness') === true && next.parts.stable.traits === parked.parts.stable.traits,
    },
    {
      claim: 'The log holds one change with its reason and the turn it rests on',
      figure: `${1 + others.length} changes; ${mutation.by}: ${mutation.from} to ${mutation.to.toFixed(3)}, "${mutation.reasoning}", turn known: ${mutation.evidence[0] === parked.id}`,
      limit: 'one',
      pass: others.length === 0 && mutation.reasoning === 'asks for wild ideas' && mutation.evidence[0] === parked.id,
    },
    {
      claim: 'A session of the same user 14 days later starts with half of it, another user with none',
      figure: `${later.openness.toFixed(4)} and ${stranger.openness}`,
      limit: '0.55 and 0.5',
      pass: Math.abs(later.openness - 0.55) < 1e-9 && stranger.openness === 0.5,
    },
  ];
}
