import { AgentosError, type Capabilities, type IChatModel, type ModelEvent, type ModelRequest } from '@x/core';
import { roughRequestTokens, roughTokens } from './estimate-size.js';
import type { Script, ScriptedReply } from './script.js';

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
  let called = 0;
  const nextId = (): string => {
    called += 1;
    return `call_${called}`;
  };
  const reply = async (request: ModelRequest, index: number, signal: AbortSignal): Promise<ScriptedReply> => {
    const item = typeof script === 'function' ? script : (script[index] ?? (atEnd === 'repeat' ? script.at(-1) : undefined));
    if (item === undefined) {
      throw new ScriptExhaustedError(`${modelId}: request ${index + 1} came, the script has ${script.length} items. Add one.`);
    }
    const chosen = typeof item === 'function' ? await item(request, { index, signal }) : item;
    return typeof chosen === 'string' ? { text: chosen } : chosen;
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
      for await (const event of eventsOf(answer, request, nextId, signal)) {
        signal.throwIfAborted();
        yield event;
      }
    },
  };
}

async function* eventsOf(
  { text = '', reasoning = '', toolCalls = [], usage, finish, error, hang = false }: ScriptedReply,
  request: ModelRequest,
  nextId: () => string,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  for (const delta of deltasOf(reasoning)) yield { type: 'reasoning-delta', text: delta };
  for (const delta of typeof text === 'string' ? deltasOf(text) : text) yield { type: 'text-delta', text: delta };
  let written = reasoning + (typeof text === 'string' ? text : text.join(''));
  for (const call of toolCalls) {
    const json = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {});
    written += call.name + json;
    const problem = whyUnparseable(json);
    yield {
      type: 'tool-call',
      call: { id: call.id ?? nextId(), type: 'function', function: { name: call.name, arguments: json } },
      ...(problem !== undefined && { unparseable: problem }),
    };
  }
  if (hang) await aborted(signal);
  if (error !== undefined) throw error;
  yield {
    type: 'model-end',
    finish: finish ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop'),
    usage: usage ?? { inputTokens: roughRequestTokens(request), outputTokens: roughTokens(written) },
  };
}

/** A text in pieces of one word with the space before it; joined they are the text again. */
export function deltasOf(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

function whyUnparseable(json: string): string | undefined {
  try {
    JSON.parse(json);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'not JSON';
  }
}

/** Rejects with the signal's reason once it is aborted. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

// Tools and schemas may hold functions, which a structured clone refuses: those are kept by reference.
function copyOf(request: ModelRequest): ModelRequest {
  return { ...request, messages: structuredClone(request.messages), tools: [...request.tools] };
}
