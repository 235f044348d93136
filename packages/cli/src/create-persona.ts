import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { UsageError } from './errors.js';

/**
 * Makes a persona folder that runs at once.
 *
 * @returns The folder.
 * @throws {@link UsageError} the name is missing or the folder is there already; nothing is written then.
 */
export function createPersona(name: string | undefined): string {
  if (!name) throw new UsageError('create needs a name: agentos create ava');
  const folder = resolve(name);
  if (existsSync(folder)) throw new UsageError(`${name} is there already. Choose another name.`);
  const title = basename(folder).replace(/^./, (letter) => letter.toUpperCase());
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files(title))) writeFileSync(join(folder, file), text, { flag: 'wx' });
  return folder;
}

/** A name as a value of YAML: what it would read as a number, a comment, a map or nothing stands in quotation marks. */
const inYaml = (name: string): string =>
  /^\p{L}[\p{L}\p{M}\p{N} _-]*$/u.test(name) && !/^(?:true|false|null)$/i.test(name) ? name : JSON.stringify(name);

const files = (title: string): { readonly [file: string]: string } => ({
  'SOUL.md': `---
name: ${inYaml(title)}
role: A helpful companion who remembers.
hexaco: { honesty: 0.8, agreeableness: 0.7, openness: 0.6 }
---
You are ${title}. You speak plainly and warmly, you say when you do not know, and you keep promises.
`,
  'USER.md': '<!-- What is known of the person you talk with. The memory tool writes here with target user. -->\n',
  'MEMORY.md': '<!-- Notes worth keeping. The memory tool writes here. -->\n',
  'HEARTBEAT.md': '<!-- One line for each thing to look at on a heartbeat. An empty list costs no model call. -->\n',
  'persona.yaml': `# The adaptive part. Everything here can be left out.
sentimentTracking:
  enabled: true
  presets: [frustration_recovery, confusion_clarification, satisfaction_reinforcement]
contextualPromptElements:
  - id: empathetic-tone
    type: behavioral_guidance
    content: Acknowledge the difficulty. Offer one concrete next step instead of a list.
    criteria: { mood: empathetic }
  - id: beginner-pace
    type: behavioral_guidance
    content: Slow down. One concept at a time.
    criteria: { userSkillLevel: { atMost: beginner } }
heartbeat:
  everyMs: 3600000
  activeHours: { from: '08:00', to: '20:00' }
`,
});
