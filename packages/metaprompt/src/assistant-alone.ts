import { type Stored, textOf } from '@x/core';

/** A name or a number: what a model takes over from its own words and then believes. */
const NAMES_SOMETHING = /\p{Lu}|\p{Nd}/u;

/**
 * Tells which claims about the user only the assistant has made. What it said itself is no evidence: a nickname that it
 * made up would else become the user's name. Plain words, such as "step by step", are descriptions and anybody's.
 *
 * @returns True for a text that holds a name or a number, stands in what the assistant said, and not in what a user said.
 */
export function createAssistantAlone(history: () => readonly Stored[]): (claim: string) => boolean {
  const said = (role: 'user' | 'assistant'): string =>
    history()
      .filter((message) => (role === 'user' ? message.origin === 'user' : message.role === 'assistant'))
      .map(textOf)
      .join('\n')
      .toLowerCase();
  let texts: { readonly user: string; readonly assistant: string } | undefined;
  return (claim) => {
    const wanted = claim.trim().toLowerCase();
    if (wanted === '' || !NAMES_SOMETHING.test(claim)) return false;
    texts ??= { user: said('user'), assistant: said('assistant') };
    return texts.assistant.includes(wanted) && !texts.user.includes(wanted);
  };
}
