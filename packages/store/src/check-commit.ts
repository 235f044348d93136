import { type Block, type Commit, type Json, type Logged, toStoredJson } from '@x/core';

/** A logged operation as it is written: what a put or an imprint leads to is the value that it writes, and stands once. */
export type WrittenOperation = Omit<Logged, 'to'> & { readonly to?: Json | undefined };

/**
 * Makes what copies commits and checks that JSON keeps every value in them; fields that are `undefined` are left out. It
 * shares what is frozen whole, and remembers the notes of each conversation: a long talk has many, and each commit brings all of them again.
 *
 * @throws `json_value_invalid`
 */
export function createCommitCheck(): (change: Commit) => Commit {
  const known = new Map<string, readonly Block[]>();
  return ({ operations: given, conversation: talk, ...rest }) => {
    const copy = toStoredJson(rest, '$', true) as unknown as typeof rest;
    const operations = given.map((logged, index) => toStoredJson(logged, `$.operations[${index}]`, true) as unknown as Logged);
    if (!talk) return { operations, ...copy };
    const { blocks: notes, ...said } = talk;
    const conversation = toStoredJson(said, '$.conversation', true) as unknown as typeof said;
    const blocks = checkedBlocks(notes, known.get(talk.id) ?? NONE);
    known.set(talk.id, blocks);
    return { operations, conversation: { blocks, ...conversation }, ...copy };
  };
}

/** The logged operation that was written. */
export function loggedOf({ to, ...rest }: WrittenOperation): Logged {
  const { operation } = rest;
  return { ...rest, to: to === undefined && 'value' in operation ? operation.value : (to ?? null) };
}

/** The record of an operation of a checked commit. */
export function operationText(logged: Logged): string {
  const { to: _to, ...rest } = logged;
  return JSON.stringify('value' in logged.operation ? (rest satisfies WrittenOperation) : logged);
}

const NONE: readonly Block[] = [];

function checkedBlocks(given: readonly Block[], known: readonly Block[]): readonly Block[] {
  let same = 0;
  while (same < known.length && (known[same] === given[same] || isSame(known[same]!, given[same]))) same += 1;
  if (same === known.length && same === given.length) return known;
  const added = given.slice(same);
  const copies = toStoredJson(added, '$.conversation.blocks', true) as unknown as readonly Block[];
  return (same === known.length ? known : known.slice(0, same)).concat(copies);
}

function isSame({ before, part, text }: Block, given: Block | undefined): boolean {
  return given !== undefined && given.before === before && given.part === part && given.text === text;
}
