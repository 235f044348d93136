import { BOOTSTRAP_ORDER, type BootstrapFile, isMemoryFile, MAX_FILE_BYTES, TRUNCATION_NOTICE } from './bootstrap.js';
import { findSuspicious } from './find-suspicious.js';
import { frameNotes } from './frame-notes.js';
import { splitFrontMatter } from './front-matter.js';
import { identityName } from './identity-name.js';
import { misnamedFiles } from './name-case.js';
import { realDir } from './open-dir.js';
import type { PersonaProblem } from './problems.js';
import { readPersonaFile } from './read-persona-file.js';
import { sha256 } from './sha256.js';
import { readSoulHeader, type SoulHeader, soulHeaderText } from './soul-header.js';

export interface ComposeOptions {
  /** Bytes of one file that reach the soul; default {@link MAX_FILE_BYTES}. */
  readonly maxBytes?: number | undefined;
  /** Who will talk: `shared` leaves `USER.md` out, because strangers may read along. Default `owner`. */
  readonly audience?: 'owner' | 'shared' | undefined;
  /** False leaves the header's `hardLimits` out, for hosts that place them themselves. Default true. */
  readonly hardLimits?: boolean | undefined;
}

export interface ComposedSoul {
  /** The identity part of the system prompt: one section for each file that says something. */
  readonly soul: string;
  /** Files that are there and readable, in order. */
  readonly found: readonly BootstrapFile[];
  /** Files that are absent or could not be used, in order. */
  readonly missing: readonly BootstrapFile[];
  readonly problems: readonly PersonaProblem[];
  /** The front matter of `SOUL.md`; `{}` when it has none that can be read. */
  readonly header: SoulHeader;
  /** The name in the text of `IDENTITY.md`, from a line such as `- **Name:** Ava`. */
  readonly identityName?: string | undefined;
  /** SHA-256 of `soul`, hex: equal hashes are equal bytes. */
  readonly hash: string;
}

/**
 * Reads the bootstrap files of a directory and joins them: `## <file>`, a blank line, the text without its outer blank
 * space; a blank line between sections. Of the front matter of `SOUL.md` name, role, voice and limits are said in plain
 * lines; `MEMORY.md` and `USER.md` are framed as notes. Reads the disk each time and throws nothing: a file that cannot be used is left out and told in `problems`.
 *
 * @param dir - The persona's directory; when there is none, the soul is empty and a problem says so.
 */
export function composeSoul(
  dir: string,
  { maxBytes = MAX_FILE_BYTES, audience = 'owner', hardLimits = true }: ComposeOptions = {},
): ComposedSoul {
  const root = realDir(dir);
  const problems: PersonaProblem[] = [];
  if (root === undefined) problems.push({ code: 'persona_dir_missing', file: '', message: 'There is no such directory. Create it.' });
  const found: BootstrapFile[] = [];
  const sections: string[] = [];
  let header: SoulHeader = {};
  let named: string | undefined;
  for (const name of root === undefined ? [] : BOOTSTRAP_ORDER) {
    if (name === 'USER.md' && audience === 'shared') continue;
    const { text, truncated = false, problem } = readPersonaFile(root ?? '', name, maxBytes, isMemoryFile(name) ? 'tail' : 'head');
    if (problem !== undefined) problems.push(problem);
    if (text === undefined) continue;
    found.push(name);
    let section: string;
    if (name === 'SOUL.md') {
      const read = readSoul(text, hardLimits);
      header = read.header;
      problems.push(...read.problems);
      section = withNotice(read.text, truncated);
    } else if (isMemoryFile(name)) {
      problems.push(...suspicions(name, text));
      section = notesSection(name, text, truncated);
    } else section = withNotice(text, truncated);
    if (name === 'IDENTITY.md') named = identityName(text);
    if (section !== '') sections.push(`## ${name}\n\n${section}`);
  }
  const soul = sections.join('\n\n');
  const missing = BOOTSTRAP_ORDER.filter((name) => !found.includes(name));
  if (root !== undefined) problems.push(...misnamedFiles(root, missing));
  return { soul, found, missing, problems, header, identityName: named, hash: sha256(soul) };
}

function readSoul(
  text: string,
  hardLimits: boolean,
): { readonly text: string; readonly header: SoulHeader; readonly problems: readonly PersonaProblem[] } {
  const { header: fields, body, problem } = splitFrontMatter('SOUL.md', text);
  const { header, problems } = readSoulHeader('SOUL.md', fields);
  const { top, limits } = soulHeaderText(header);
  const parts = [top, body.trim(), hardLimits ? limits : ''].filter((part) => part !== '');
  return { text: parts.join('\n\n'), header, problems: problem === undefined ? problems : [problem, ...problems] };
}

const suspicions = (file: string, text: string): readonly PersonaProblem[] =>
  findSuspicious(text)
    .slice(0, 20)
    .map((line) => ({ code: 'memory_suspicious', file, line, message: 'This line reads like an order or hides characters. Look at it.' }));

const withNotice = (text: string, truncated: boolean): string => (truncated ? `${text}${TRUNCATION_NOTICE}` : text).trim();

function notesSection(name: BootstrapFile, text: string, truncated: boolean): string {
  if (text.trim() === '') return '';
  const notes = frameNotes(text, name === 'MEMORY.md' ? 'your own notes' : 'notes about the user');
  return truncated ? `${TRUNCATION_NOTICE.trim()} The newest part follows; older notes are left out.\n\n${notes}` : notes;
}
