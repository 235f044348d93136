import type { Capabilities, IChatModel, ModelRequest } from '@x/core';
import { requestTokens, textTokens } from '../estimate-size.js';
import { replyEvents } from '../reply-events.js';
import type { ScriptedReply } from '../script.js';
import { answerInWords } from './answer-in-words.js';
import { answerJson, asksForJson } from './answer-json.js';
import { answerBeat, isBeat } from './beat.js';
import { chooseCalls } from './choose-calls.js';
import { type Prompt, readPrompt } from './read-prompt.js';
import { asksForSummary, summarise } from './summarise.js';

/** The first line of the first reply of every conversation. */
export const OFFLINE_LABEL = '[offline model: rules, no language model]';

export interface OfflineModelOptions {
  /** Default `offline-rules`. */
  readonly modelId?: string | undefined;
  /** Fields that differ from the row of an unknown endpoint: notes fenced, no merging, no structured output. */
  readonly capabilities?: Partial<Capabilities> | undefined;
}

/**
 * Makes a model that needs no network and no weights: rules of our own that read the request and nothing else.
 *
 * It reads the system prompt, the newest state notes, the persona's name, mood and levels, remembered lines and the
 * conversation, and writes a reply that follows the guidance it found: length, steps, tone, questions, words to use or
 * avoid. It answers requests for JSON from the evidence in them, sums up, keeps silent or acts on a beat, and calls a
 * tool when the user clearly asks for one. It keeps nothing between requests, and says on its first line what it is.
 */
export function createOfflineModel({ modelId = 'offline-rules', capabilities = {} }: OfflineModelOptions = {}): IChatModel {
  return {
    modelId,
    providerId: 'offline',
    capabilities: { lateNote: 'fenced-user', mergeUserRuns: false, structuredOutput: false, ...capabilities },
    async *stream(request, { signal }) {
      signal.throwIfAborted();
      const reply = cutOff(replyTo(request), request);
      const ids = idsFor(request);
      for await (const event of replyEvents(reply, request, ids, signal)) {
        signal.throwIfAborted();
        yield event;
      }
    },
  };
}

function replyTo(request: ModelRequest): ScriptedReply {
  const prompt = readPrompt(request);
  if (asksForJson(prompt, request.outputSchema)) return { text: answerJson(prompt, request.outputSchema) };
  if (isBeat(prompt)) return answerBeat(prompt);
  const calls = chooseCalls(prompt);
  if (calls.length > 0) return { toolCalls: calls };
  if (asksForSummary(prompt)) return { text: summarise(prompt) };
  return { text: `${isFirst(prompt) ? `${OFFLINE_LABEL}\n` : ''}${answerInWords(prompt)}` };
}

function isFirst({ history }: Prompt): boolean {
  return !history.some((line) => line.role === 'assistant');
}

// A real model stops at its limit, and so does this one.
function cutOff(reply: ScriptedReply, request: ModelRequest): ScriptedReply {
  const text = typeof reply.text === 'string' ? reply.text : '';
  const limit = request.maxOutputTokens;
  if (limit === undefined || textTokens(text) <= limit) return reply;
  const kept = Array.from(text)
    .slice(0, limit * 4)
    .join('');
  return { ...reply, text: kept, finish: 'length', usage: { inputTokens: requestTokens(request), outputTokens: limit } };
}

// Ids must differ within a conversation and be the same when it is asked again.
function idsFor({ messages }: ModelRequest): () => string {
  let made = messages.reduce((sum, message) => sum + (message.tool_calls?.length ?? 0), 0);
  return () => {
    made += 1;
    return `call_${made}`;
  };
}
