import type { IPersonaDefinition } from '@x/core';
import { parsePersona } from '@x/core/schema';
import { composeSoul } from './compose-soul.js';
import { PersonaDirError } from './errors.js';
import { realDir } from './open-dir.js';
import { personaIdOf } from './persona-name.js';

/** Reads a directory as a persona. */
export function loadPersona(dir: string): IPersonaDefinition {
  const root = realDir(dir);
  if (root === undefined) throw new PersonaDirError('does not exist');
  const { soul, header } = composeSoul(root, { hardLimits: false });
  const id = personaIdOf(root);
  return parsePersona({
    id,
    name: header.name ?? id,
    version: '1.0.0',
    description: header.role ?? `The persona ${header.name ?? id}.`,
    baseSystemPrompt: soul,
  });
}
