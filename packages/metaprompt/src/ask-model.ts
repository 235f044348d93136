import {
  estimateTextTokens,
  type Generated,
  generate,
  type IChatModel,
  isAgentosError,
  layoutMessages,
  type Stored,
  type Usage,
} from '@x/core';
import { extractJson } from '@x/core/schema';
import { clip, FENCE_RULE } from './fence.js';
import { forgiveReply } from './forgive-reply.js';
import { type JsonSchema, withSynonyms } from './output-schema.js';

export interface Question {
  readonly model: IChatModel;
  /** The filled template. */
  readonly prompt: string;
  readonly schema: JsonSchema;
  readonly maxOutputTokens: number;
  readonly temperature: number;
  readonly signal: AbortSignal;
}

/** What was used; tokens are the provider's where it counted, else our estimate. */
export interface Used {
  calls: number;
  inputTokens: number;
  outputTokens: number;
}

export const noneUsed = (): Used => ({ calls: 0, inputTokens: 0, outputTokens: 0 });

/** What came of it, and what it used. */
export type Asked = Readonly<Used> &
  (
    | { readonly ok: true; readonly value: { readonly [field: string]: unknown } }
    | { readonly ok: false; readonly reason: FailureReason; readonly problem: string }
  );

/** Why a metaprompt changed nothing. */
export type FailureReason =
  | 'model_failed'
  | 'model_unavailable'
  | 'timed_out'
  | 'handler_failed'
  | 'handler_missing'
  | 'reply_cut_off'
  | 'reply_refused'
  | 'reply_empty'
  | 'reply_not_json'
  | 'reply_breaks_schema'
  | 'schema_invalid';

const REASONS: { readonly [code: string]: FailureReason } = { json_schema_mismatch: 'reply_breaks_schema', json_cut_off: 'reply_cut_off' };
const REPLY_CHARS = 4000;
const PROBLEM_CHARS = 300;

/** What a model is told beside the prompt. */
export function instructionsFor(schema: JsonSchema, structured: boolean): string {
  return `You set the inner state of an assistant between its turns. Reply with one JSON object and nothing else.${
    structured ? '' : ` It must fit this JSON Schema: ${JSON.stringify(schema)}`
  }\n${FENCE_RULE}`;
}

const repairText = (problem: string): string =>
  `That reply cannot be used: ${problem}. Answer once more with the JSON object alone, complete and short.`;

/** Most bytes that the repair call says beside what the first call said: the reply of so many tokens, and what was wrong. */
export function repairBytes(replyTokens: number): number {
  const marks = 40;
  return Math.min(replyTokens, 3 * REPLY_CHARS) + 3 * PROBLEM_CHARS + repairText('').length + 2 * marks;
}

/**
 * Asks a model for one JSON object, and once more when the answer cannot be used. There is no third call.
 *
 * @param used - Grows as calls are made, so that what was used is known also when this is given up.
 * @throws `signal.reason` when aborted. Everything else that goes wrong is an outcome.
 */
export async function askModel(question: Question, used: Used = noneUsed()): Promise<Asked> {
  const opening = { role: 'user', content: question.prompt, id: 'ask', origin: 'internal' } as const;
  const first = await callOnce(question, [opening], used);
  if (first.ok || !first.repairable) return { ...used, ...first };
  const repaired = await callOnce(
    question,
    [
      opening,
      { role: 'assistant', content: clip(first.text, REPLY_CHARS) || '(empty)', id: 'reply', origin: 'assistant' },
      {
        role: 'user',
        content: repairText(first.problem),
        id: 'repair',
        origin: 'internal',
      },
    ],
    used,
  );
  return { ...used, ...repaired };
}

type Answer =
  | { readonly ok: true; readonly value: { readonly [field: string]: unknown } }
  | { readonly ok: false; readonly reason: FailureReason; readonly problem: string; readonly repairable: boolean; readonly text: string };

async function callOnce(
  { model, schema, maxOutputTokens, temperature, signal }: Question,
  current: readonly [Stored, ...Stored[]],
  used: Used,
): Promise<Answer> {
  const structured = model.capabilities.structuredOutput;
  const layout = {
    stable: { system: instructionsFor(schema, structured) },
    tools: [],
    history: [],
    blocks: [],
    volatile: {},
    current,
    placement: 'leading',
  } as const;
  const request = layoutMessages(layout, model.capabilities);
  const asked = estimateTextTokens(JSON.stringify(request.messages));
  used.calls += 1;
  used.inputTokens += asked; // a guess until the provider counts: a call that never answers was asked all the same
  const fail: Fail = (reason, problem, repairable = false, text = '') => ({
    ok: false,
    reason,
    problem: clip(problem, PROBLEM_CHARS),
    repairable,
    text,
  });
  let answer: Generated;
  try {
    const limits = { maxOutputTokens, temperature };
    answer = await generate(model, { ...request, ...limits, ...(structured && { outputSchema: schema }) }, { signal });
  } catch (error) {
    signal.throwIfAborted();
    return fail('model_failed', isAgentosError(error) ? error.code : error instanceof Error ? error.name : 'unknown error');
  }
  const { text, finish, usage } = answer;
  account(used, usage, asked, text);
  if (finish === 'refused') return fail('reply_refused', 'the model declined to answer');
  if (finish === 'length') return fail('reply_cut_off', `the reply was cut off at ${maxOutputTokens} tokens`, true, text);
  if (text.trim() === '') return fail('reply_empty', 'the reply is empty', true);
  return read(text, schema, fail);
}

type Fail = (reason: FailureReason, problem: string, repairable?: boolean, text?: string) => Answer;

function read(text: string, schema: JsonSchema, fail: Fail): Answer {
  try {
    const value: unknown = extractJson(text, withSynonyms(schema));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { ok: true, value: value as { [field: string]: unknown } };
    return fail('reply_breaks_schema', 'the reply is not an object', true, text);
  } catch (error) {
    // What is not about the text is about the schema, and no other reply would help.
    if (!isAgentosError(error) || error.code === 'invalid_argument')
      return fail('schema_invalid', 'the outputSchema of the definition cannot be read');
    const forgiven = error.code === 'json_schema_mismatch' ? forgiveReply(text, schema) : undefined;
    if (forgiven) return { ok: true, value: forgiven };
    const problem = (error as { readonly problem?: unknown }).problem;
    const told = typeof problem === 'string' ? problem : 'it holds no JSON object of the wanted form';
    return fail(REASONS[error.code] ?? 'reply_not_json', told, true, text);
  }
}

function account(used: Used, usage: Usage, asked: number, text: string): void {
  used.inputTokens += (plausible(usage.inputTokens) ?? asked) - asked;
  used.outputTokens += plausible(usage.outputTokens) ?? estimateTextTokens(text);
}

function plausible(tokens: number | undefined): number | undefined {
  return tokens !== undefined && Number.isSafeInteger(tokens) && tokens >= 0 && tokens < 10_000_000 ? tokens : undefined;
}
