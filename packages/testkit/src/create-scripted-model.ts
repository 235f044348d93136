import { AgentosError, type Capabilities, type IChatModel, type ModelRequest } from '@x/core';
import { replyEvents } from './reply-events.js';
import { countCalls, replyOf, type Script, type ScriptedReply } from './script.js';

/** A scripted model was asked more often than its script has items. */
export class ScriptExhaustedError extends AgentosError {
  override readonly name = 'ScriptExhaustedError';
  readonly code = 'script_exhausted';
  readonly retryable = false;
}

export interface ScriptedModelOptions {
  /** Default `scripted`. */
  readonly modelId?: string | undefined;
  /** Default `testkit`. */
  readonly providerId?: string | undefined;
  /** Fields that differ from the row of an unknown endpoint: notes fenced, no merging, no structured output. */
  readonly capabilities?: Partial<Capabilities> | undefined;
  /** When the script is at its end: `throw` (default) or `repeat` its last item. */
  readonly atEnd?: 'throw' | 'repeat' | undefined;
  /** False keeps no copies in `requests`, for runs of many thousand turns. Default true. */
  readonly record?: boolean | undefined;
}

/** A model that answers from a script and remembers what it was asked. */
export interface ScriptedModel extends IChatModel {
  /** Every request, oldest first, as copies that later changes do not reach. */
  readonly requests: readonly ModelRequest[];
}

/**
 * Makes a model whose answers are written beforehand. It streams like a real one: reasoning, text in several deltas,
 * calls, end; it stops at once when aborted.
 *
 * @param script - One item per request, or a function of the request for all of them.
 * @throws {@link ScriptExhaustedError} from `stream`, when there is no item left.
 * @example
 * const model = createScriptedModel(['Hello', { toolCalls: [{ name: 'add', arguments: { a: 1, b: 2 } }] }, 'It is 3.']);
 */
export function createScriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  const { modelId = 'scripted', providerId = 'testkit', capabilities = {}, atEnd = 'throw', record = true } = options;
  const requests: ModelRequest[] = [];
  let asked = 0;
  const nextId = countCalls();
  const reply = async (request: ModelRequest, index: number, signal: AbortSignal): Promise<ScriptedReply> => {
    const item = typeof script === 'function' ? script : (script[index] ?? (atEnd === 'repeat' ? script.at(-1) : undefined));
    if (item === undefined) {
      throw new ScriptExhaustedError(`${modelId}: request ${index + 1} came, the script has ${script.length} items. Add one.`);
    }
    return replyOf(item, request, { index, signal });
  };
  return {
    modelId,
    providerId,
    capabilities: { lateNote: 'fenced-user', mergeUserRuns: false, structuredOutput: false, ...capabilities },
    requests,
    async *stream(request, { signal }) {
      signal.throwIfAborted();
      const index = asked;
      asked += 1;
      if (record) requests.push(copyOf(request));
      const answer = await reply(request, index, signal);
      for await (const event of replyEvents(answer, request, nextId, signal)) {
        signal.throwIfAborted();
        yield event;
      }
    },
  };
}

// Tools and schemas may hold functions, which a structured clone refuses: those are kept by reference.
function copyOf(request: ModelRequest): ModelRequest {
  return { ...request, messages: structuredClone(request.messages), tools: [...request.tools] };
}
