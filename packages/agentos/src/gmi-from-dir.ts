import { composeSoul, type FromDirOptions, fromDir } from '@x/persona-fs';
import { GMI, type GMIOptions } from './gmi.js';

export interface GmiFromDirOptions extends Omit<GMIOptions, 'persona' | 'tools' | 'hooks'>, Omit<FromDirOptions, 'model' | 'budget'> {}

/**
 * Makes a persona directory a GMI: its files are the soul, its `persona.yaml` makes it adapt, its memory is a tool. One
 * directory is one lane, because it owns one memory. The soul is read when the session starts and at `reload()`.
 *
 * @throws `persona_dir_invalid`, `persona_invalid`
 */
export function gmiFromDir(dir: string, options: GmiFromDirOptions): GMI {
  const {
    dir: root,
    persona,
    tools,
    hooks,
  } = fromDir(dir, { name: options.name, tools: options.tools, memory: options.memory, hooks: options.hooks });
  const more = options.stable;
  return new GMI({
    ...options,
    // The soul is a part of its own, so that a reload can read it anew.
    persona: { ...persona, baseSystemPrompt: '' },
    scope: options.scope ?? { directory: root },
    stable: () => ({ ...(typeof more === 'function' ? more() : more), soul: composeSoul(root, { hardLimits: false }).soul }),
    tools,
    hooks,
  });
}
