import { basename, dirname, join } from 'node:path';
import { type IPersonaDefinition, isAgentosError } from '@x/core';
import { parsePersona } from '@x/core/schema';
import { BOOTSTRAP_ORDER, MAX_FILE_BYTES } from './bootstrap.js';
import { type ComposedSoul, type ComposeOptions, composeSoul } from './compose-soul.js';
import { PersonaDirError, PersonaFileError } from './errors.js';
import { mergePersona } from './merge-persona.js';
import { misnamedFiles } from './name-case.js';
import { readdirSync, realpathSync, statSync } from './node-files.js';
import { realDir } from './open-dir.js';
import { personaIdOf } from './persona-name.js';
import type { PersonaProblem } from './problems.js';
import { ADAPTIVE_FILES, type AdaptivePart, parseAdaptive, readAdaptive } from './read-adaptive.js';
import { readPersonaFile } from './read-persona-file.js';

/** A directory, read. */
export interface LoadedPersona {
  readonly persona: IPersonaDefinition;
  /** The soul that stands in `persona.baseSystemPrompt`. */
  readonly composed: ComposedSoul;
  /** What else stands in it; for hosts that give the soul a place of its own. `''` for nothing. */
  readonly besideSoul: IPersonaDefinition['baseSystemPrompt'];
  /** Everything that was left out, and why. */
  readonly problems: readonly PersonaProblem[];
  /** Real path. */
  readonly dir: string;
}

export interface LoadOptions extends ComposeOptions {
  /** Called for each problem. */
  readonly onProblem?: ((problem: PersonaProblem) => void) | undefined;
}

/**
 * Reads a directory as a persona: the bootstrap files become `baseSystemPrompt`, the front matter of `SOUL.md` and
 * `persona.yaml` (or `.json`) the rest. Its id is the directory's name. A file that cannot be used is left out alone
 * and told to `onProblem`; what it would have granted is not granted.
 *
 * @param dir - A directory, or one `.json`, `.yaml` or `.yml` file that is a whole persona.
 * @throws `persona_dir_missing`; for a single file also `persona_file_invalid` and `persona_invalid`.
 */
export function loadPersona(dir: string, options: LoadOptions = {}): IPersonaDefinition {
  if (/\.(?:json|ya?ml)$/i.test(dir) && realDir(dir) === undefined) return loadFile(dir, options);
  return readPersona(dir, options).persona;
}

/** As {@link loadPersona}, with the soul and the problems beside the persona. */
export function readPersona(dir: string, options: LoadOptions = {}): LoadedPersona {
  const root = realDir(dir);
  if (root === undefined) throw new PersonaDirError('is missing, or is no directory');
  const composed = composeSoul(root, { ...options, hardLimits: false });
  const adaptive = readAdaptive(root);
  const id = personaIdOf(root);
  const problems: PersonaProblem[] = [...composed.problems, ...adaptive.problems];
  const attempt = (part: AdaptivePart) => {
    const merged = mergePersona({ id, composed, adaptive: part });
    return { merged, persona: parsePersona(merged.fields) };
  };
  let read: ReturnType<typeof attempt>;
  try {
    read = attempt(adaptive);
    problems.push(...read.merged.problems);
  } catch (error) {
    if (!isAgentosError(error) || adaptive.file === undefined) throw error;
    const tell = (message: string): void =>
      void problems.push({ code: 'adaptive_file_invalid', file: adaptive.file ?? '', message: `${error.message} ${message}` });
    // Hours that would not hold turn beats off; limits and traits beside them hold on.
    const { heartbeat: _heartbeat, ...others } = adaptive.fields;
    try {
      read = attempt({ ...adaptive, fields: others });
      tell('Until it is corrected no beat runs.');
      problems.push(...read.merged.problems);
    } catch {
      read = attempt({ fields: {}, problems: [] });
      tell('Until it is corrected it grants nothing.');
    }
  }
  const { merged, persona } = read;
  // Checked as a part of the persona just now.
  const besideSoul = merged.besideSoul as IPersonaDefinition['baseSystemPrompt'];
  for (const problem of problems) options.onProblem?.(problem);
  return { persona, composed, besideSoul, problems, dir: root };
}

/**
 * Reads every directory below `parent` that holds a persona, in order of name. Two that come to one id: the later is
 * refused. A link to a directory is not followed, and told.
 */
export function loadPersonas(parent: string, options: LoadOptions = {}): readonly LoadedPersona[] {
  const root = realDir(parent);
  if (root === undefined) throw new PersonaDirError('is missing, or is no directory');
  const loaded = new Map<string, LoadedPersona>();
  for (const entry of readdirSync(root, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const dir = join(root, entry.name);
    const skip = (code: PersonaProblem['code'], message: string): void => options.onProblem?.({ code, file: entry.name, message });
    if (entry.isSymbolicLink() && realDir(dir) !== undefined)
      skip('file_unsafe', 'It is reached through a link, which is not followed. Put a real directory there.');
    if (!entry.isDirectory()) continue;
    let names: ReadonlySet<string>;
    try {
      names = new Set(readdirSync(dir));
    } catch (error) {
      skip('file_unreadable', `It could not be read (${(error as NodeJS.ErrnoException).code}). Check its permissions.`);
      continue;
    }
    const known = [...BOOTSTRAP_ORDER, ...ADAPTIVE_FILES];
    if (!known.some((name) => names.has(name))) {
      for (const problem of misnamedFiles(dir, known)) options.onProblem?.({ ...problem, file: `${entry.name}/${problem.file}` });
      continue;
    }
    const one = readPersona(dir, options);
    if (!loaded.has(one.persona.id)) loaded.set(one.persona.id, one);
    else skip('id_conflict', 'Another directory comes to the same id. Rename one of them.');
  }
  return [...loaded.values()];
}

function loadFile(path: string, { onProblem }: LoadOptions): IPersonaDefinition {
  const name = basename(path);
  let root: string;
  try {
    const real = realpathSync(path);
    if (!statSync(real).isFile()) throw new Error('not a file');
    root = dirname(real);
  } catch (cause) {
    throw new PersonaFileError({ file: name, problem: 'It is missing, or is no ordinary file.', cause });
  }
  const { text, problem } = readPersonaFile(root, basename(realpathSync(path)), MAX_FILE_BYTES);
  if (text === undefined || problem !== undefined)
    throw new PersonaFileError({ file: name, problem: problem?.message ?? 'It cannot be read.' });
  const { fields, problems } = parseAdaptive(name, text);
  const broken = problems.find(({ code }) => code === 'adaptive_file_invalid');
  if (broken !== undefined) throw new PersonaFileError({ file: name, problem: broken.message });
  for (const each of problems) onProblem?.(each);
  const id = personaIdOf(name.replace(/\.(?:json|ya?ml)$/i, ''));
  return parsePersona({ id, name: id, version: '1.0.0', description: `The persona ${id}.`, ...fields });
}
