import {
  GMIMood,
  parseMood,
  parseSkillLevel,
  parseTaskComplexity,
  SKILL_LEVELS,
  type SkillLevel,
  TASK_COMPLEXITIES,
  type TaskComplexity,
} from '@x/core';

/** The state that a prompt tells of; a field is absent when the prompt does not name it. */
export interface ReadState {
  readonly mood?: GMIMood | undefined;
  readonly skill?: SkillLevel | undefined;
  readonly complexity?: TaskComplexity | undefined;
}

/** Reads mood, skill of the user and complexity of the task from lines such as “Your mood is empathetic.” or “Skill: novice”. */
export function readState(text: string): ReadState {
  const lines = text.split(/\n|(?<=\.)\s+/);
  const after = (label: RegExp): string => lines.find((line) => label.test(line))?.replace(label, '') ?? '';
  const mood = wordIn(after(/^.*\bmood\b/i), parseMood) ?? (/\bmood\b[^.\n]*\bstrain\b/i.test(text) ? GMIMood.FRUSTRATED : undefined);
  const aboutUser = after(/^.*\b(?:skill(?:[ _]level)?\b|the user is)/i);
  const skill = wordIn(aboutUser, parseSkillLevel) ?? (/\bnew to\b/i.test(aboutUser) ? SKILL_LEVELS[0] : undefined);
  const aboutTask = after(/^.*\b(?:complexity\b(?! *\.)|the task is)/i);
  const complexity = wordIn(aboutTask, parseTaskComplexity) ?? (/\bvery complex\b/i.test(aboutTask) ? TASK_COMPLEXITIES[3] : undefined);
  return { mood, skill, complexity: /\bvery complex\b/i.test(aboutTask) ? TASK_COMPLEXITIES[3] : complexity };
}

// The first known word before the line explains itself with a colon.
function wordIn<T>(text: string, parse: (word: string) => T | undefined): T | undefined {
  const words =
    text
      .replace(/^[\s:=]+/, '')
      .split(/[:;]/, 1)[0]
      ?.match(/\p{L}+/gu) ?? [];
  return words
    .slice(0, 8)
    .map(parse)
    .find((value) => value !== undefined);
}
