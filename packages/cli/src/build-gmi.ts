import { GMI, gmiFromDir, type IPersonaDefinition, type ITool } from '@x/agentos';
import type { Endpoint } from './endpoint.js';

/** The GMI of a folder or of a persona, on the endpoint's model; `tools` are beside its own. */
export function buildGmi(persona: IPersonaDefinition | string, { model }: Endpoint, tools?: readonly ITool[] | undefined): GMI {
  if (typeof persona === 'string') return gmiFromDir(persona, { model, tools });
  return new GMI({ persona, model, tools, scope: { persona: persona.id, user: 'demo', session: 'replay' } });
}
