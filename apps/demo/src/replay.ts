import { readFile } from 'node:fs/promises';
import { type IPersonaDefinition, PersonaUnknownError } from '@x/agentos';
import { buildGmi, createReporter, type Endpoint, personas, type TurnReport } from '@x/cli';

interface Conversation {
  readonly id: string;
  readonly persona: string;
  readonly title: string;
  readonly turns: readonly { readonly role: string; readonly text: string; readonly source?: string }[];
}

export interface ReplayOptions {
  readonly endpoint: Endpoint;
  /** A folder to use instead of each conversation's own persona. */
  readonly persona?: string | undefined;
  onConversation(title: string, persona: string): void;
  onTurn(report: TurnReport & { readonly conversation: string }): void;
}

/** Replays the kept conversations: their user turns are said, the persona answers. */
export async function replay({ endpoint, persona, onConversation, onTurn }: ReplayOptions): Promise<readonly TurnReport[]> {
  const reports: TurnReport[] = [];
  for (const name of ['tutoring', 'support']) {
    const conversation = JSON.parse(await readFile(new URL(`../conversations/${name}.json`, import.meta.url), 'utf8')) as Conversation;
    const definition: IPersonaDefinition | string | undefined = persona ?? personas[conversation.persona];
    if (definition === undefined) throw new PersonaUnknownError(conversation.persona, Object.keys(personas));
    const gmi = buildGmi(definition, endpoint);
    onConversation(conversation.title, gmi.persona.name);
    const run = createReporter(gmi);
    for (const { role, text, source } of conversation.turns) {
      if (role !== 'user') continue;
      const report = await run(text, source === undefined ? {} : { source });
      reports.push(report);
      onTurn({ conversation: conversation.id, ...report });
    }
    await gmi.shutdown();
  }
  return reports;
}
