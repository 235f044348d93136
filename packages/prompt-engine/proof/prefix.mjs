/** What a provider's cache could serve of 300 scripted turns, by where the notes of state stand. */
import { createRequestLayout, estimateTextTokens, INITIAL_STATE } from '@x/core';
import { auditPrefix, promptHook } from '@x/prompt-engine';
import { playSession, SESSION } from '../bench/session-workload.mjs';

const percent = (share) => `${(share * 100).toFixed(2)} %`;

export default async function ({ short, log }) {
  const session = short ? { ...SESSION, turns: 60, foldAtTokens: 20_000, restartAt: 30 } : SESSION;
  // Counted once for each text: a session repeats the same messages in every request.
  const counts = new Map();
  const countTokens = (text) => {
    if (!counts.has(text)) counts.set(text, estimateTextTokens(text));
    return counts.get(text);
  };
  const play = (options) => playSession({ promptHook, createRequestLayout, countTokens, initialState: INITIAL_STATE, session, ...options });
  const measure = async (name, options) => {
    log(name);
    const { requests, newTokens } = await play(options);
    const { steps, unexplained } = auditPrefix(requests, countTokens);
    const [first] = requests;
    const sum = (list, field) => list.reduce((total, step) => total + step[field], 0);
    const firstTokens = countTokens(JSON.stringify(first.request.messages)) + countTokens(JSON.stringify(first.request.tools));
    const total = sum(steps, 'nextTokens') + firstTokens;
    const named = steps.filter((step) => step.break !== undefined).length;
    const unnamed = steps.filter((step) => step.break === undefined);
    const lowest = Math.min(...unnamed.map((step) => step.stability));
    return {
      requests: requests.length,
      share: sum(steps, 'commonTokens') / total,
      best: 1 - newTokens / total,
      total,
      unexplained,
      named,
      lowest,
    };
  };

  const kept = await measure('kept-on-change', {});
  const late = await measure('late', { placement: 'late' });
  const leading = await measure('leading', { placement: 'leading' });
  const clock = await measure('a clock at the head', { head: (turn) => `It is ${new Date(turn * 60_000).toISOString()}.` });
  const millions = (kept.total / 1e6).toFixed(1);
  return [
    {
      claim: `In ${session.turns} turns (${kept.requests} requests, ${millions} million tokens, ${kept.named} folds, one restart) notes kept on change leave every prefix whole but at the folds`,
      figure: `stability at least ${kept.lowest.toFixed(4)} at ${kept.unexplained.length === 0 ? 'every' : 'not every'} step without a named break; ${kept.unexplained.length} unexplained breaks`,
      limit: 'stability 1.0000, no unexplained break',
      pass: kept.lowest === 1 && kept.unexplained.length === 0 && kept.named > 0,
    },
    {
      claim: 'The cached share is close to the best possible: each token read once, and again what a fold has to send again',
      figure: `${percent(kept.share)} of ${percent(kept.best)}`,
      limit: 'within 0.5 points of the best possible',
      pass: Math.abs(kept.best - kept.share) <= 0.005,
    },
    {
      claim: 'Notes that are rebuilt each turn (late) and notes in the system prompt (leading) are served less from the cache',
      figure: `late ${percent(late.share)}, leading ${percent(leading.share)}, kept on change ${percent(kept.share)}`,
      limit: 'both below kept on change',
      pass: late.share < kept.share && leading.share < kept.share,
    },
    {
      claim: 'A clock at the head of the prompt leaves almost nothing to the cache',
      figure: `${percent(clock.share)}, ${clock.unexplained.length} unexplained breaks`,
      limit: 'below 50 %, and the audit finds the breaks',
      pass: clock.share < 0.5 && clock.unexplained.length > 0,
    },
  ];
}
