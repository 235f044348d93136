import { type IChatModel, type ITool, type Json, type ModelEvent, type ToolResult, toStoredJson } from '@x/core';
import type { Delivery, Step, StepOutcome, TurnEngine } from './turn-engine.js';

type Journal = Pick<TurnEngine, 'journalStep'>;

/** What a model is told of a call whose outcome nobody knows. */
export const OUTCOME_UNKNOWN =
  'Outcome unknown: this was begun before an interruption and may or may not have happened. It was not repeated. ' +
  'Check before doing it again, and tell the user.';

/**
 * A model whose replies are written down: another attempt of the turn gets them again instead of asking. Make one per
 * delivery; its calls are numbered, so ask in the same order on every attempt.
 */
export function journaledModel(engine: Journal, delivery: Delivery, model: IChatModel): IChatModel {
  let calls = 0;
  return {
    modelId: model.modelId,
    providerId: model.providerId,
    capabilities: model.capabilities,
    async *stream(request, options) {
      calls += 1;
      const step: Step = { id: `model:${calls}`, kind: 'model', repeat: 'idempotent' };
      const live = eventChannel();
      const outcome = engine.journalStep(delivery, step, async () => {
        const events: ModelEvent[] = [];
        for await (const event of model.stream(request, options)) {
          events.push(event);
          // The last event lets the caller act on the reply, so it waits until the reply is written down.
          if (event.type !== 'model-end') live.push(event);
        }
        return toStoredJson(events);
      });
      outcome.then(live.end, live.end);
      yield* live.events;
      const { result, replayed } = doneOf(await outcome);
      const events = result as unknown as readonly ModelEvent[];
      yield* replayed ? events : events.filter(({ type }) => type === 'model-end');
    },
  };
}

/**
 * Tools whose results are written down under the id of their call. A tool says with `repeat` what may happen after a
 * crash in the middle; the default, `once`, is never done twice.
 */
export function journaledTools<T extends ITool>(engine: Journal, delivery: Delivery, tools: readonly T[]): readonly T[] {
  return tools.map((tool) => ({
    ...tool,
    // Of a tool that is an instance of a class a spread leaves out what the class has.
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
    repeat: tool.repeat,
    timeoutMs: tool.timeoutMs,
    async execute(args: never, context: Parameters<ITool['execute']>[1]): Promise<ToolResult> {
      if (context.callId === undefined) return tool.execute(args, context);
      const step: Step = {
        id: `tool:${context.callId}`,
        kind: 'tool',
        repeat: tool.repeat ?? 'once',
        request: [tool.name, toStoredJson(args)],
      };
      const done = await engine.journalStep(delivery, step, async ({ key }) => {
        try {
          return toStoredJson(await tool.execute(args, { ...context, key }));
        } catch (error) {
          // A tool that says that it failed has an outcome: the failure.
          return { output: error instanceof Error ? error.message || error.name : String(error), isError: true };
        }
      });
      return done.outcome === 'done'
        ? (done.result as unknown as ToolResult)
        : { output: OUTCOME_UNKNOWN, isError: true, metadata: { outcome: 'unknown' } };
    },
  }));
}

function doneOf(outcome: StepOutcome): { readonly result: Json; readonly replayed: boolean } {
  return outcome.outcome === 'done' ? outcome : { result: [], replayed: true };
}

/** Events from one side to the other, until the end. */
function eventChannel(): { push(event: ModelEvent): void; end(): void; readonly events: AsyncIterable<ModelEvent> } {
  const waiting: ModelEvent[] = [];
  let ended = false;
  let wake = (): void => {};
  return {
    push(event) {
      waiting.push(event);
      wake();
    },
    end() {
      ended = true;
      wake();
    },
    events: {
      async *[Symbol.asyncIterator]() {
        for (;;) {
          const event = waiting.shift();
          if (event) yield event;
          else if (ended) return;
          else
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
        }
      },
    },
  };
}
