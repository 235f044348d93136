import { type FromDirOptions, fromDir, soulHook } from '@x/persona-fs';
import { GMI, type GMIOptions } from './gmi.js';

export interface GmiFromDirOptions
  extends Omit<GMIOptions, 'persona' | 'tools' | 'hooks'>,
    Pick<FromDirOptions, 'name' | 'tools' | 'memory' | 'hooks'> {}

/**
 * Makes a persona directory a GMI: its files are the soul, its `persona.yaml` makes it adapt, its memory is a tool. One
 * directory is one lane, because it owns one memory. The soul is read when the session starts; `gmi.reload()` reads it anew.
 *
 * @throws `persona_dir_missing`
 */
export function gmiFromDir(dir: string, options: GmiFromDirOptions): GMI {
  const { name, tools: given, memory, hooks: slot, ...rest } = options;
  const { dir: root, persona, besideSoul, tools, hooks } = fromDir(dir, { name, tools: given, memory, hooks: slot });
  const soul = soulHook(root, { hardLimits: false });
  return new GMI({
    ...rest,
    // The soul is a part of its own, so that a reload can read it anew.
    persona: { ...persona, baseSystemPrompt: besideSoul },
    scope: rest.scope ?? { directory: root },
    features: [soul, ...(rest.features ?? [])],
    onReload: () => void soul.reload(),
    tools,
    hooks,
  });
}
