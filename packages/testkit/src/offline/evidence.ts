import { parseSkillLevel, parseTaskComplexity, SKILL_LEVELS, type SkillLevel, TASK_COMPLEXITIES, type TaskComplexity } from '@x/core';
import { conceptIn } from './concepts.js';
import { actOf } from './plan-answer.js';
import { shortened } from './sentences.js';

/** What a reflective prompt shows about the user. */
export interface Evidence {
  readonly leading: 'frustration' | 'confusion' | 'satisfaction' | 'errors' | 'boredom' | 'none';
  /** -1 to 1. */
  readonly score: number;
  readonly topic: string | undefined;
  /** A level that fits better than the one in the prompt; `undefined` for no change. */
  readonly skill: SkillLevel | undefined;
  readonly complexity: TaskComplexity | undefined;
  /** In one sentence, with the words that decided it. */
  readonly reason: string;
  /** What the user said. */
  readonly said: string;
}

/**
 * Weighs the user's words inside a prompt, and the counters and labels that stand beside them.
 *
 * @param text - Where the user's words stand.
 * @param whole - The whole prompt, for counters and the levels assumed so far.
 */
export function readEvidence(text: string, whole: string): Evidence {
  const said = userLinesIn(text);
  const acts = said.map((line) => ({ line, act: actOf(line) }));
  const count = (act: string): number => acts.filter((one) => one.act === act).length;
  const counter = (name: string): number => Number(new RegExp(`consecutive[_ ]?${name}\\w*\\W{1,4}(\\d+)`, 'i').exec(whole)?.[1] ?? 0);
  // Levels and events are told in plain words; what stands in records and schemas is not told.
  const plain = whole.replace(/<data\b[\s\S]*?<\/data>|\{.*\}/g, '');
  // What the prompt itself says has happened, outside the records that it quotes.
  const told = whole.replace(/<data\b[\s\S]*?<\/data>|\{[\s\S]*?\}/g, '').slice(0, 1_200);
  const says = (cue: RegExp): number => (/\b(?:user|assistant)\b/i.test(told) && cue.test(told.split(/\n/).slice(0, 6).join('\n')) ? 1 : 0);
  const given = Number(/\bscore\W{1,4}(-?\d(?:\.\d+)?)/i.exec(whole)?.[1] ?? Number.NaN);
  const weights = {
    frustration: count('complaint') * 2 + counter('frustration') + (given < -0.2 ? 1 : 0) + says(/\bfrustrat|\bupset|\bangry/i),
    confusion: count('confusion') * 2 + counter('confusion') + says(/\bconfus|did not follow|not understand/i),
    satisfaction: count('thanks') * 2 + counter('satisfaction') + (given > 0.2 ? 1 : 0) + says(/\bpleased|\bsatisf|\bhappy/i),
    errors:
      says(/has failed|failed several|\berrors? threshold/i) +
      (/"message"\s*:|\brecent errors?\W+\[[^\]]/i.test(whole) ? (whole.match(/\berror\b/gi)?.length ?? 0) / 2 : 0),
    boredom:
      says(/without colour|low engagement|answered briefly|disengag/i) +
      (counter('neutral') > 2 ? counter('neutral') / 2 : said.length > 2 && said.every((line) => line.length < 12) ? 2 : 0),
  };
  const [name, weight] = Object.entries(weights).sort((a, b) => b[1] - a[1])[0] ?? ['none', 0];
  const leading = (weight > 0 ? name : 'none') as Evidence['leading'];
  const words = acts.findLast(({ act }) => act === ACT_OF[leading])?.line;
  const topic = [...said]
    .reverse()
    .map(conceptIn)
    .find((concept) => concept !== undefined)?.name;
  const sum = count('thanks') - count('complaint') - count('confusion') / 2;
  const expert =
    said
      .join(' ')
      .match(
        /\b(?:memoiz\w+|amortis\w+|invariant|idempotent|monad|mutex|big-?o|complexity|closure|generics?|refactor\w*|async|latency|throughput)\b/gi,
      )?.length ?? 0;
  const down = leading === 'frustration' || leading === 'confusion';
  return {
    leading,
    score: Number.isNaN(given) ? Math.max(-1, Math.min(1, sum / Math.max(2, said.length))) : given,
    topic,
    skill: skillOf(plain, down, leading === 'satisfaction', expert),
    complexity: complexityOf(plain, down, leading === 'satisfaction'),
    reason: words
      ? `${count(ACT_OF[leading])} of ${said.length} user messages ${count(ACT_OF[leading]) === 1 ? 'shows' : 'show'} ${leading}, such as “${shortened(words, 80)}”.`
      : leading === 'none'
        ? 'Nothing in the evidence speaks against the present settings.'
        : `The figures in the prompt show ${leading}.`,
    said: said.join(' '),
  };
}

const ACT_OF: { readonly [K in Evidence['leading']]: string } = {
  frustration: 'complaint',
  confusion: 'confusion',
  satisfaction: 'thanks',
  errors: '',
  boredom: '',
  none: '',
};

// Messages come as JSON objects with a role, as lines “user: …”, in quotes, or as the whole text.
function userLinesIn(text: string): readonly string[] {
  const json = [...text.matchAll(/"role"\s*:\s*"user"[^{}]*?"(?:content|text)"\s*:\s*"((?:[^"\\]|\\.)*)/g)].map((match) =>
    unescaped(match[1] ?? ''),
  );
  if (json.length > 0) return json;
  const lines = [...text.matchAll(/^\s*[-*]?\s*(?:user|customer|learner)\s*:\s*(.+)$/gim)].map((match) => match[1] ?? '');
  if (lines.length > 0) return lines;
  const quoted = [...text.matchAll(/^(?:text|message|input)\s*:\s*["“]?(.+?)["”]?$/gim)].map((match) => match[1] ?? '');
  if (quoted.length > 0) return quoted;
  const block = /"""\s*([\s\S]+?)\s*"""|```\w*\n([\s\S]+?)```|["“]([^"”]{8,})["”]/.exec(text);
  return [block?.[1] ?? block?.[2] ?? block?.[3] ?? text];
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}

function assumed<T>(whole: string, label: RegExp, parse: (word: string) => T | undefined): T | undefined {
  const words = label.exec(whole)?.[1]?.match(/\p{L}+/gu) ?? [];
  return words.map(parse).find((value) => value !== undefined);
}

function skillOf(whole: string, down: boolean, up: boolean, expert: number): SkillLevel | undefined {
  const now = assumed(whole, /skill(?: level)?\W{1,4}(.{0,40})/i, parseSkillLevel);
  const at = now === undefined ? 1 : SKILL_LEVELS.indexOf(now);
  if (down && expert < 2) return now === 'beginner' ? undefined : 'beginner';
  if (expert >= 2) return at < 3 ? 'advanced' : undefined;
  return up && at < 2 ? SKILL_LEVELS[at + 1] : undefined;
}

function complexityOf(whole: string, down: boolean, up: boolean): TaskComplexity | undefined {
  const now = assumed(whole, /complexity\W{1,4}(.{0,40})/i, parseTaskComplexity);
  const at = now === undefined ? 1 : TASK_COMPLEXITIES.indexOf(now);
  if (down) return at > 0 ? 'simple' : undefined;
  return up && at < 2 ? TASK_COMPLEXITIES[at + 1] : undefined;
}
