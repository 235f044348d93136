import { type IChatModel, InvalidArgumentError, type IPersonaDefinition, PLACEMENTS } from '@x/core';
import { parsePersona } from '@x/core/schema';
import type { AgentOSOptions } from './agentos.js';
import { ConfigurationError } from './errors.js';

/** @throws `configuration_invalid` for what no model can be, such as the name of one. */
export function checkModel(model: unknown): IChatModel {
  const { stream, capabilities } = (typeof model === 'object' && model !== null ? model : {}) as Partial<IChatModel>;
  if (typeof stream === 'function' && typeof capabilities === 'object') return model as IChatModel;
  throw new ConfigurationError(
    'model must be a chat model: an object with modelId, providerId, capabilities and stream. The name of one is no model; give it to openai({ model }) or to defaultModelId.',
  );
}

/** @throws `configuration_invalid` */
export function checkPlacement(placement: unknown): void {
  if (placement !== undefined && !(PLACEMENTS as readonly unknown[]).includes(placement))
    throw new ConfigurationError(`There is no placement "${String(placement)}". Known: ${PLACEMENTS.join(', ')}.`);
}

/**
 * One person's id must not be another's: a number would be refused by a store of text, and everybody without an id would
 * share a lane under an empty one.
 *
 * @throws `invalid_argument`
 */
export function checkId(id: unknown, name: 'userId' | 'sessionId'): string {
  if (typeof id === 'string' && id !== '') return id;
  throw new InvalidArgumentError(`${name} must be a text that is not empty. Give those who have none an id of their own.`);
}

/** What can be told wrong before any persona is read. @throws `configuration_invalid` */
export function checkOptions(options: AgentOSOptions): void {
  const { personas, placement, prices = {}, maxAwake = 0 } = options ?? {};
  if (!Array.isArray(personas)) throw new ConfigurationError('personas must be a list of personas.');
  if (personas.length === 0) throw new ConfigurationError('personas is empty. Pass at least one.');
  checkPlacement(placement);
  if (!(maxAwake >= 0)) throw new ConfigurationError(`maxAwake must be 0 or more, got ${maxAwake}.`);
  if (typeof prices !== 'object' || prices === null) throw new ConfigurationError('prices must be an object of prices by model.');
  for (const [model, price] of Object.entries(prices)) {
    const figures = [price?.inputPerMillion, price?.outputPerMillion, price?.cachedInputPerMillion ?? 0];
    if (!figures.every((figure) => typeof figure === 'number' && figure >= 0))
      throw new ConfigurationError(`prices: what ${model} costs must be numbers of 0 or more, in US dollars per million tokens.`);
  }
}

/** A persona of a list. @throws `persona_invalid`, which says which one it is. */
export function checkedPersona(input: unknown, index: number): IPersonaDefinition {
  const { id } = (input ?? {}) as { readonly id?: unknown };
  return parsePersona(input, { which: typeof id === 'string' && id !== '' ? `Persona "${id}"` : `personas[${index}]` });
}
