import { type ContextualPromptElement, type IPersonaDefinition, KEYS, type LaneStore, type Logged } from '@x/core';
import { ConfigurationError } from './errors.js';
import { placedLines } from './placed-lines.js';
import { rebuildTurn } from './rebuild-turn.js';

/** What stands behind one line of a past prompt. */
export interface Cause {
  /** The line itself. */
  readonly line: string;
  /** Where it stood: a part of the prefix, a note, or the conversation. */
  readonly place: 'stable' | 'volatile' | 'conversation';
  /** The part, such as `elements` or `state`; for the conversation the role. */
  readonly part: string;
  /** The element whose text it is. */
  readonly element?: string | undefined;
  /** The changes of state that the line rests on, newest first. */
  readonly changes: readonly Pick<Logged, 'id' | 'by' | 'why' | 'from' | 'to' | 'turn' | 'atMs'>[];
}

/**
 * Says what put a line into the prompt of a past turn: the element and the criteria it matched, or the part of state and
 * the metaprompt, event or host that set it.
 *
 * @param line - From 1, over all lines of the last request of the turn, in the order of its messages.
 * @throws `turn_not_journaled`; `configuration_invalid` when the request has no such line.
 */
export async function why({
  lane,
  persona,
  turnId,
  line,
}: {
  readonly lane: Pick<LaneStore, 'journal' | 'operations'>;
  readonly persona: IPersonaDefinition;
  readonly turnId: string;
  readonly line: number;
}): Promise<Cause> {
  const { steps, parts } = await rebuildTurn(lane, turnId);
  const lines = placedLines(steps.at(-1)?.body ?? '{"messages":[]}', parts);
  const found = lines[line - 1];
  if (!found) throw new ConfigurationError(`The request of turn ${turnId} has ${lines.length} lines; there is no line ${line}.`);
  const { text, place, part } = found;
  const element =
    place === 'conversation'
      ? undefined
      : persona.contextualPromptElements?.find(({ content }) =>
          content.split('\n').some((each) => each.trim() !== '' && text.includes(each.trim())),
        );
  // A note of an earlier turn rests on what was so then.
  const isOfThisTurn = Object.values(parts.volatile).some((said) => said.split('\n').includes(text));
  const changes = place === 'volatile' && isOfThisTurn ? await changesBehind(lane, turnId, text, element) : [];
  return { line: text, place, part, ...(element && { element: element.id ?? element.type }), changes };
}

const FIELDS = ['mood', 'skill', 'complexity', 'language', 'domain'] as const;
const CRITERIA: { readonly [field in (typeof FIELDS)[number]]: string } = {
  mood: 'mood',
  skill: 'userSkillLevel',
  complexity: 'taskComplexity',
  language: 'language',
  domain: 'taskHint',
};

// The newest change before this turn of each field that the line speaks of: by name, by value, or by its criteria.
async function changesBehind(
  lane: Pick<LaneStore, 'operations'>,
  turnId: string,
  line: string,
  element: ContextualPromptElement | undefined,
): Promise<Cause['changes']> {
  const newest = new Map<string, Logged>();
  let met = false;
  for await (const entry of lane.operations()) {
    const { operation } = entry;
    // The turn's own changes stand together. The count of turns is put after what its prompt was made from; what follows
    // under the turn's name was changed at its end or behind it.
    if (met && (entry.turn !== turnId || ('put' in operation && operation.put === KEYS.turnCount))) break;
    met ||= entry.turn === turnId;
    if ('set' in operation) newest.set(operation.set, entry);
    else if ('imprint' in operation && line.includes(operation.imprint)) newest.set(`imprint:${operation.imprint}`, entry);
    else if ('trait' in operation && line.toLowerCase().includes(operation.trait)) newest.set(`trait:${operation.trait}`, entry);
  }
  const speaksOf = (field: (typeof FIELDS)[number], entry: Logged): boolean =>
    element
      ? JSON.stringify(element.criteria ?? {}).includes(`"${CRITERIA[field]}"`)
      : line.toLowerCase().includes(field) || line.toLowerCase().includes(String(entry.to).toLowerCase());
  return [...newest]
    .filter(([name, entry]) => !FIELDS.includes(name as never) || speaksOf(name as (typeof FIELDS)[number], entry))
    .map(([, { id, by, why: reason, from, to, turn, atMs }]) => ({ id, by, why: reason, from, to, turn, atMs }))
    .sort((a, b) => b.atMs - a.atMs);
}
