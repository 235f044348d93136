import type { ComposedSoul } from './compose-soul.js';
import type { PersonaProblem } from './problems.js';
import type { AdaptivePart } from './read-adaptive.js';
import type { Fields } from './read-yaml-map.js';
import { readTraits } from './soul-header.js';

/**
 * Joins a directory's sources to one persona, not yet checked. Where two say the same thing, the adaptive file wins and
 * a problem says so; for the name the soul's files win, because they stand in the prompt as they are.
 */
export function mergePersona({
  id,
  composed,
  adaptive,
}: {
  readonly id: string;
  readonly composed: ComposedSoul;
  readonly adaptive: AdaptivePart;
}): {
  readonly fields: Fields;
  /** What the prompt holds beside the soul: the adaptive file's own text, or a line of ours where there is no soul. */
  readonly besideSoul: unknown;
  readonly problems: readonly PersonaProblem[];
} {
  const { header, identityName, soul } = composed;
  const { fields, file = '' } = adaptive;
  const problems: PersonaProblem[] = [];
  const doubled = (message: string): void => void problems.push({ code: 'field_doubled', file, message });
  for (const [source, value] of [
    ['SOUL.md', header.agentId],
    [file, fields['id']],
  ] as const) {
    if (value !== undefined && value !== id)
      problems.push({ code: 'id_conflict', file: source, message: 'Its id differs from the directory’s name, which counts.' });
  }
  const given = fields['name'];
  const names = [
    ['SOUL.md', header.name],
    ['IDENTITY.md', identityName],
    [file, typeof given === 'string' ? given : undefined],
  ].filter((pair): pair is [string, string] => pair[1] !== undefined);
  const [first = ['', id], ...others] = names;
  for (const [source, other] of others) {
    const message = `Its name differs from the one in ${first[0]}, which counts. Keep one of them.`;
    if (other !== first[1]) problems.push({ code: 'field_doubled', file: source, message });
  }
  // One that is no text goes to the check, which refuses it.
  const name = given === undefined || typeof given === 'string' ? first[1] : given;
  const traits = traitsOf(fields['personalityTraits']);
  const differing = Object.entries(header.traits ?? {}).filter(
    ([trait, score]) => isMap(traits) && traits[trait] !== undefined && traits[trait] !== score,
  );
  if (differing.length > 0) doubled('It gives other trait scores than SOUL.md. Keep one of them; for now these count.');
  const mood = {
    ...(header.defaultMood && { defaultMood: header.defaultMood }),
    ...(header.allowedMoods && { allowedMoods: header.allowedMoods }),
  };
  const limits = [...(header.hardLimits ?? []), ...(Array.isArray(fields['hardLimits']) ? fields['hardLimits'] : [])];
  const besideSoul = promptBeside(soul, fields['baseSystemPrompt'], String(name), (message) =>
    problems.push({ code: 'adaptive_field_refused', file, message }),
  );
  const merged: Record<string, unknown> = {
    version: '1.0.0',
    description: header.role ?? `The persona ${String(name)}.`,
    ...fields,
    id,
    name,
    baseSystemPrompt: joinPrompts(soul, besideSoul),
  };
  if (header.traits !== undefined || traits !== undefined)
    merged['personalityTraits'] = isMap(traits) ? { ...header.traits, ...traits } : (traits ?? header.traits);
  if (Object.keys(mood).length > 0) {
    const given = fields['moodAdaptation'];
    merged['moodAdaptation'] = given === undefined || isMap(given) ? { ...mood, ...given } : given;
  }
  if (limits.length > 0 && (fields['hardLimits'] === undefined || Array.isArray(fields['hardLimits'])))
    merged['hardLimits'] = [...new Set(limits)];
  return { fields: merged, besideSoul, problems };
}

/** Trait names as authors write them; what is malformed stays as it is, for the check to refuse. */
function traitsOf(value: unknown): unknown {
  if (!isMap(value)) return value;
  let clean = true;
  const traits = readTraits(value, () => {
    clean = false;
    return undefined;
  });
  return clean ? traits : value;
}

function promptBeside(soul: string, extra: unknown, name: string, refuse: (message: string) => void): unknown {
  const given = extra === undefined || extra === null ? '' : extra;
  if (soul === '') return given === '' ? `You are ${name}.` : given;
  if (!isMap(given)) return given;
  refuse('baseSystemPrompt is a template, which cannot stand beside the soul’s files. Write it as text.');
  return '';
}

function joinPrompts(soul: string, beside: unknown): unknown {
  if (soul === '') return beside;
  if (beside === '') return soul;
  if (typeof beside === 'string') return `${soul}\n\n${beside}`;
  if (!Array.isArray(beside)) return beside;
  const highest = Math.max(
    0,
    ...beside.map((part: unknown) => (isMap(part) && typeof part['priority'] === 'number' ? part['priority'] : 0)),
  );
  return [{ content: soul, priority: highest + 1 }, ...beside];
}

const isMap = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
