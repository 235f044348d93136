import type { Json, LaneScope } from '@x/core';
import type { TurnRequest } from '../engine/turn-engine.js';

/** What a job carries: a turn, in a shape that later versions can still read. */
export interface JobData {
  readonly version: 1;
  readonly scope: LaneScope;
  readonly id: string;
  readonly input: Json;
}

export function jobData({ scope, id, input }: TurnRequest): JobData {
  const plain: LaneScope =
    'directory' in scope ? { directory: scope.directory } : { persona: scope.persona, user: scope.user, session: scope.session };
  return { version: 1, scope: plain, id, input };
}
