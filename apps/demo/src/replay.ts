import { readFile } from 'node:fs/promises';
import { type IPersonaDefinition, PersonaUnknownError } from '@x/agentos';
import { answerInLine, buildGmi, createReporter, type Endpoint, personas, personaTools, type TurnReport } from '@x/cli';

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

/**
 * Replays the kept conversations: their user turns are said, the persona answers. Where one of its tools asks a human, the
 * next `human` line is the answer; without one it is declined, so that the talk goes on.
 */
export async function replay({ endpoint, persona, onConversation, onTurn }: ReplayOptions): Promise<readonly TurnReport[]> {
  const reports: TurnReport[] = [];
  for (const name of ['tutoring', 'support']) {
    const conversation = JSON.parse(await readFile(new URL(`../conversations/${name}.json`, import.meta.url), 'utf8')) as Conversation;
    const definition: IPersonaDefinition | string | undefined = persona ?? personas[conversation.persona];
    if (definition === undefined) throw new PersonaUnknownError(conversation.persona, Object.keys(personas));
    const gmi = buildGmi(definition, endpoint, personaTools[conversation.persona]);
    onConversation(conversation.title, gmi.persona.name);
    const run = createReporter(gmi);
    for (const [index, { role, text, source }] of conversation.turns.entries()) {
      if (role !== 'user') continue;
      const tell = (report: TurnReport): TurnReport => {
        reports.push(report);
        onTurn({ conversation: conversation.id, ...report });
        return report;
      };
      let report = tell(await run(text, { source }));
      const answers = humansAfter(conversation, index);
      while (report.pending) report = tell(await run(answerInLine(report.pending, answers.shift() ?? '/no'), { source }));
    }
    await gmi.shutdown();
  }
  return reports;
}

/** What humans beside the user say before the user's next turn. */
function humansAfter({ turns }: Conversation, index: number): string[] {
  const next = turns.findIndex(({ role }, at) => at > index && role === 'user');
  return turns.slice(index, next < 0 ? undefined : next).flatMap(({ role, text }) => (role === 'human' ? [text] : []));
}
