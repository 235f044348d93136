import { GMI, gmiFromDir, type IPersonaDefinition } from '@x/agentos';
import type { Endpoint } from './endpoint.js';

/** The GMI of a folder or of a persona, on the endpoint's model. */
export function buildGmi(persona: IPersonaDefinition | string, { model }: Endpoint): GMI {
  if (typeof persona === 'string') return gmiFromDir(persona, { model });
  return new GMI({ persona, model, scope: { persona: persona.id, user: 'demo', session: 'replay' } });
}
