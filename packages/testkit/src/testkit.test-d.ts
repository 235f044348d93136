import type { Clock, IChatModel, Random } from '@x/core';
import { expectTypeOf, test } from 'vitest';
import { createOfflineModel, createRandom, createScriptedModel, createVirtualClock, type Script, startModelServer } from './index.js';

test('what is made fits the seams of core', () => {
  expectTypeOf(createScriptedModel([])).toExtend<IChatModel>();
  expectTypeOf(createOfflineModel()).toEqualTypeOf<IChatModel>();
  expectTypeOf(createVirtualClock(0)).toExtend<Clock>();
  expectTypeOf(createRandom('seed')).toEqualTypeOf<Random>();
});

test('a script is a list of replies or a function of the request; a server also takes a model and sees the body', () => {
  expectTypeOf<['Hi', { text: ['a', 'b']; hang: true }, () => 'x']>().toExtend<Script>();
  createScriptedModel((request) => `${request.messages.length}`);
  void startModelServer({ script: createOfflineModel() });
  void startModelServer({ script: (body, { index, request }) => `${String(body['model'])} ${index} ${request.tools.length}` });
  // @ts-expect-error a reply has no such field
  createScriptedModel([{ txt: 'Hi' }]);
  // @ts-expect-error there is no such fault
  void startModelServer({ script: [], faults: [{ kind: 'explode' }] });
});
