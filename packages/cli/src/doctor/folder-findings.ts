import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  BOOTSTRAP_ORDER,
  beatSlots,
  estimateTextTokens,
  type IPersonaDefinition,
  isAgentosError,
  type LoadedPersona,
  type PersonaProblem,
  readPersona,
  validatePersona,
} from '@x/agentos';
import type { Finding } from './finding.js';

/** Tokens of a soul above which every request is dear. Ours. */
const LARGE_SOUL_TOKENS = 8_000;
/** Bytes that the memory tool lets each of the two files of notes grow to, by default. */
const NOTES_BYTES = 65_536;
const MAKE_ONE = 'Run `agentos create NAME` for a folder that works.';

const ADVICE: { readonly [code in PersonaProblem['code']]: readonly [Finding['severity'], fix: string] } = {
  persona_dir_missing: ['error', MAKE_ONE],
  file_unsafe: ['error', 'Put the file itself there: no link, pipe or directory.'],
  file_unreadable: ['error', 'Give yourself the right to read it.'],
  file_truncated: ['warning', 'Shorten it; notes are tidied by a dream.'],
  file_bytes_invalid: ['warning', 'Save it as UTF-8.'],
  file_name_case: ['warning', 'Rename the file; capitals count.'],
  header_unclosed: ['error', 'End the front matter with a line `---`; until then none of it holds.'],
  header_field_unknown: ['warning', 'Correct the name of the field; until then it is left out.'],
  adaptive_field_unknown: ['warning', 'Correct the name of the field, or leave it if it is your own.'],
  header_invalid: ['error', 'Correct the front matter; until then none of it holds.'],
  header_field_invalid: ['warning', 'Correct the field; until then it is left out.'],
  field_doubled: ['warning', 'Keep the field in one of the two places.'],
  id_conflict: ['error', 'Rename one of the two folders.'],
  adaptive_file_invalid: ['error', 'Correct the file; until then the persona does not adapt.'],
  adaptive_file_doubled: ['warning', 'Keep one of the two files.'],
  adaptive_field_refused: ['warning', 'Take the field out: a persona file names no endpoint, key, header or tool.'],
  adaptive_field_renamed: ['warning', 'Write the field under its new name.'],
  memory_suspicious: ['warning', 'Read the line. If nobody you trust wrote it, undo it: `agentos dev`, panel Memory.'],
};

/** What is wrong with a folder's files, its caps, and the part of the persona that adapts. */
export function folderFindings(dir: string, nowMs: number): readonly Finding[] {
  let loaded: LoadedPersona;
  try {
    loaded = readPersona(dir);
  } catch (error) {
    const missing = isAgentosError(error) && error.code === 'persona_dir_missing';
    const what = `${dir}: ${error instanceof Error ? error.message : String(error)}`;
    return [{ severity: 'error', what, fix: missing ? MAKE_ONE : 'Correct what the message names.' }];
  }
  const { persona, composed, problems } = loaded;
  if (composed.found.length === 0 && problems.length === 0)
    return [{ severity: 'error', what: `${dir} holds none of ${BOOTSTRAP_ORDER.join(', ')}.`, fix: MAKE_ONE }];
  return [...problems.map(adviceOn), soulSize(loaded), ...notesSizes(loaded), ...personaFindings(persona, problems, nowMs)];
}

function adviceOn({ code, file, line, message }: PersonaProblem): Finding {
  const [severity, fix] = ADVICE[code];
  return { severity, what: `${file}${line === undefined ? '' : `:${line}`}: ${message}`, fix };
}

function soulSize({ composed: { soul, found } }: LoadedPersona): Finding {
  const tokens = estimateTextTokens(soul);
  if (tokens <= LARGE_SOUL_TOKENS) return { severity: 'ok', what: `The soul has about ${tokens} tokens in ${found.length} files.` };
  return {
    severity: 'warning',
    what: `The soul has about ${tokens} tokens; each first request pays for all of them.`,
    fix: 'Move procedures into tools, and let the dream tidy MEMORY.md.',
  };
}

function notesSizes({ dir, composed: { found } }: LoadedPersona): readonly Finding[] {
  return (['MEMORY.md', 'USER.md'] as const)
    .filter((file) => found.includes(file))
    .flatMap((file): readonly Finding[] => {
      const { size } = statSync(join(dir, file));
      if (size < 0.9 * NOTES_BYTES) return [];
      const what = `${file}: it has ${size.toLocaleString('en')} of the ${NOTES_BYTES.toLocaleString('en')} bytes that the memory tool fills.`;
      return [{ severity: 'warning', what, fix: 'Let a dream tidy it, or take out what is old; a note that does not fit is refused.' }];
    });
}

function personaFindings(persona: IPersonaDefinition, problems: readonly PersonaProblem[], nowMs: number): readonly Finding[] {
  const { issues } = validatePersona(persona, { maxSystemPromptLength: 100_000 });
  const found = issues
    .filter(({ severity }) => severity !== 'suggestion')
    .map(
      ({ severity, code, path, message }): Finding => ({
        severity: severity === 'error' ? 'error' : 'warning',
        what: `${path}: ${message} (${code})`,
        fix: 'Change this field of persona.yaml.',
      }),
    );
  found.push(...scheduleFindings(persona, nowMs));
  if (found.length > 0 || problems.some(({ code }) => code.startsWith('adaptive_'))) return found;
  return [{ severity: 'ok', what: 'The adaptive part is valid, and every element can match.' }];
}

/** A heartbeat that cannot be followed: the persona is valid, and none of its beats would run. */
function scheduleFindings({ heartbeat }: IPersonaDefinition, nowMs: number): readonly Finding[] {
  if (!heartbeat) return [];
  try {
    if (beatSlots(heartbeat).next(nowMs, nowMs) !== undefined) return [];
    return [{ severity: 'error', what: 'The heartbeat is never due.', fix: NO_BEAT }];
  } catch (error) {
    return [{ severity: 'error', what: error instanceof Error ? error.message : String(error), fix: NO_BEAT }];
  }
}

const NO_BEAT = 'Correct `heartbeat` in persona.yaml; until then no beat runs.';
