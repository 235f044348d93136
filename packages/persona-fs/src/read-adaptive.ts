import { isForbiddenKey } from '@x/core';
import { misnamedFiles } from './name-case.js';
import { meantField } from './persona-fields.js';
import type { PersonaProblem } from './problems.js';
import { readPersonaFile } from './read-persona-file.js';
import { type Fields, readYamlMap } from './read-yaml-map.js';

/** Names of the file with the adaptive part, the first that is there counts. */
export const ADAPTIVE_FILES = ['persona.yaml', 'persona.yml', 'persona.json'] as const;

/** What the adaptive file says, before it is checked as a persona. */
export interface AdaptivePart {
  /** The file it came from; absent when there is none. */
  readonly file?: string | undefined;
  /** `{}` when there is none, or none that can be read. */
  readonly fields: Fields;
  readonly problems: readonly PersonaProblem[];
}

const LARGEST_BYTES = 1_048_576;
/** The format's version that this reader knows; a file may name it as `formatVersion`. */
const FORMAT_VERSION = 1;

// Names from before, and names that authors expect; each maps to the field that is read.
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['systemPrompt', 'baseSystemPrompt'],
  ['traits', 'personalityTraits'],
  ['hexaco', 'personalityTraits'],
  ['model', 'defaultModelId'],
  ['modelId', 'defaultModelId'],
  ['provider', 'defaultProviderId'],
  ['providerId', 'defaultProviderId'],
  ['metaprompts', 'metaPrompts'],
  ['sentiment', 'sentimentTracking'],
  ['elements', 'contextualPromptElements'],
]);
// A persona file says who somebody is, never where a request goes or with which key.
const REFUSED = /^(?:api[_-]?key|base[_-]?url|end[_-]?point|headers?|authorization|bearer|token|secret|password|handler|execute)$/i;

/** Reads `persona.yaml`, `.yml` or `.json` of a directory. Never throws; a file that cannot be read grants nothing. */
export function readAdaptive(root: string): AdaptivePart {
  const readings = ADAPTIVE_FILES.map((file) => ({ file, ...readPersonaFile(root, file, LARGEST_BYTES) }));
  const present = readings.filter(({ text, problem }) => text !== undefined || problem !== undefined);
  const [chosen, ...others] = present;
  if (chosen === undefined) return { fields: {}, problems: misnamedFiles(root, ADAPTIVE_FILES) };
  const problems: PersonaProblem[] = others.map(({ file }) => ({
    code: 'adaptive_file_doubled',
    file,
    message: `It is ignored, because ${chosen.file} is there too. Keep one of them.`,
  }));
  if (chosen.text === undefined || chosen.problem !== undefined) {
    return { file: chosen.file, fields: {}, problems: [...(chosen.problem === undefined ? [] : [chosen.problem]), ...problems] };
  }
  const parsed = parseAdaptive(chosen.file, chosen.text);
  return { ...parsed, problems: [...parsed.problems, ...problems] };
}

/** Reads the text of an adaptive file: YAML, or JSON when its name ends so. */
export function parseAdaptive(file: string, text: string): AdaptivePart {
  const problems: PersonaProblem[] = [];
  const invalid = (message: string, line?: number): AdaptivePart => ({
    file,
    fields: {},
    problems: [{ code: 'adaptive_file_invalid', file, message, ...(line !== undefined && { line }) }],
  });
  const isJson = file.endsWith('.json');
  const badLine = isJson ? brokenJsonLine(text) : undefined;
  if (badLine !== undefined) return invalid('It is no JSON. Correct it; until then it grants nothing.', badLine);
  // YAML refuses the tabs that many indent JSON with; no string of it can hold one.
  const { fields, problem } = readYamlMap(file, isJson ? text.replaceAll('\t', ' ') : text, 'adaptive_file_invalid');
  if (fields === undefined) return { file, fields: {}, problems: problem === undefined ? [] : [problem] };
  const { formatVersion = FORMAT_VERSION, ...rest } = fields;
  if (typeof formatVersion !== 'number' || formatVersion > FORMAT_VERSION) {
    return invalid(
      `Its formatVersion is newer than ${FORMAT_VERSION}, which this reader knows. Update the reader; until then it grants nothing.`,
    );
  }
  const named: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) {
    const current = RENAMED.get(name);
    if (isForbiddenKey(name)) problems.push(refused(file, name));
    else if (current === undefined) {
      named[name] = value;
      const meant = meantField(name);
      const message = `Nobody reads the field ${name.slice(0, 40)}. Did you mean ${meant}?`;
      if (meant !== undefined && !REFUSED.test(name)) problems.push({ code: 'adaptive_field_unknown', file, message });
    } else if (Object.hasOwn(rest, current))
      problems.push({ code: 'field_doubled', file, message: `${name} is ignored, because ${current} is there too.` });
    else {
      named[current] = value;
      problems.push({ code: 'adaptive_field_renamed', file, message: `${name} is read as ${current}. Rename it.` });
    }
  }
  return { file, fields: withoutRefused(named, file, problems) as Fields, problems };
}

// YAML takes much that is no JSON, and reads another thing out of it: a comment becomes a field.
function brokenJsonLine(text: string): number | undefined {
  const json = text.replace(/^\uFEFF/, '');
  if (json.trim() === '') return undefined;
  try {
    JSON.parse(json);
    return undefined;
  } catch (error) {
    const at = /position (\d+)/.exec(String(error))?.[1];
    return json.slice(0, at === undefined ? json.length : Number(at)).split('\n').length;
  }
}

function withoutRefused(value: unknown, file: string, problems: PersonaProblem[], path = ''): unknown {
  if (Array.isArray(value)) return value.map((item, index) => withoutRefused(item, file, problems, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    const where = path === '' ? name : `${path}.${name}`;
    if (isForbiddenKey(name) || REFUSED.test(name)) {
      problems.push(refused(file, where));
    } else kept[name] = withoutRefused(item, file, problems, where);
  }
  return kept;
}

const refused = (file: string, where: string): PersonaProblem => ({
  code: 'adaptive_field_refused',
  file,
  message: `${where.slice(0, 80)} is not for a persona's file. Give it to the program instead.`,
});
