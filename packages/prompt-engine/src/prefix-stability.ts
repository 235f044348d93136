import { type CacheBreak, type ChatMessage, type CountTokens, estimateTextTokens, toWire } from '@x/core';

/** A request as it goes to a provider: its body, as JSON text or parsed, or just its list of messages. */
export type RequestLike = string | readonly ChatMessage[] | { readonly messages: readonly unknown[]; readonly [field: string]: unknown };

export interface PrefixStability {
  /** Tokens of the common prefix ÷ all tokens of the previous request: 1 when nothing that was sent has changed. */
  readonly stability: number;
  /** Tokens of the common prefix ÷ all tokens of this request: the most that a provider's cache can serve. */
  readonly cachedShare: number;
  readonly commonTokens: number;
  readonly previousTokens: number;
  readonly nextTokens: number;
  /** The first place of the previous request that is not in this one as it was; absent when all of it is. */
  readonly brokenAt?: PrefixBreak | undefined;
}

export interface PrefixBreak {
  /** `model`, `tools[2]`, `system`, `messages[7]`, or `text` for a body that is no JSON. */
  readonly segment: string;
  /** Characters into the JSON of the segment. */
  readonly offset: number;
  /** Up to 40 characters of the previous request, from shortly before that place. */
  readonly before: string;
  readonly after: string;
}

interface Segment {
  readonly name: string;
  readonly text: string;
}

/**
 * Compares two requests in the order in which providers cache them: model, tools, system prompt, messages. Other
 * fields, such as a temperature, do not touch the cache and are left out.
 *
 * @param countTokens - Default the estimate of core.
 */
export function prefixStability(previous: RequestLike, next: RequestLike, countTokens: CountTokens = estimateTextTokens): PrefixStability {
  const old = segmentsOf(previous);
  const now = segmentsOf(next);
  let same = 0;
  while (same < old.length && same < now.length && isSame(old[same]!, now[same]!)) same += 1;
  const first = old[same];
  const other = now[same];
  const offset = first !== undefined && other !== undefined && first.name === other.name ? commonLength(first.text, other.text) : 0;
  // A last message that was only written on has lost no more than the brackets that closed it.
  const grown = same === old.length - 1 && offset > 0 && /^["\]}]+$/.test(first!.text.slice(offset));
  const broken = grown ? undefined : first;
  const sum = (segments: readonly Segment[]): number => segments.reduce((tokens, { text }) => tokens + countTokens(text), 0);
  const shared = sum(old.slice(0, same));
  const commonTokens = shared + (offset > 0 ? countTokens(first!.text.slice(0, offset)) : 0);
  const previousTokens = shared + sum(old.slice(same));
  const nextTokens = shared + sum(now.slice(same));
  return {
    stability: broken === undefined ? 1 : ratio(commonTokens, previousTokens),
    cachedShare: ratio(commonTokens, nextTokens),
    commonTokens,
    previousTokens,
    nextTokens,
    ...(broken !== undefined && {
      brokenAt: { segment: broken.name, offset, before: excerpt(broken.text, offset), after: excerpt(other?.text ?? '', offset) },
    }),
  };
}

/** A request of a session, with the reason for a break that is meant. */
export interface AuditedRequest {
  readonly request: RequestLike;
  readonly break?: CacheBreak | undefined;
}

export interface AuditedStep extends Omit<PrefixStability, 'brokenAt'> {
  /** From 1: the first request has nothing to be compared with. */
  readonly step: number;
  readonly break?: CacheBreak | undefined;
  readonly brokenAt?: PrefixBreak | undefined;
}

/**
 * Follows a session's requests one by one.
 *
 * @returns Every step, and as `unexplained` those whose prefix broke without a named reason: one byte is enough. A
 * test of a host asserts that it is empty.
 */
export function auditPrefix(
  requests: Iterable<AuditedRequest>,
  countTokens: CountTokens = estimateTextTokens,
): { readonly steps: readonly AuditedStep[]; readonly unexplained: readonly AuditedStep[] } {
  const steps: AuditedStep[] = [];
  let previous: RequestLike | undefined;
  let index = 0;
  for (const { request, break: reason } of requests) {
    if (previous !== undefined) steps.push({ step: index, break: reason, ...prefixStability(previous, request, countTokens) });
    previous = request;
    index += 1;
  }
  return { steps, unexplained: steps.filter((step) => step.brokenAt !== undefined && step.break === undefined) };
}

function segmentsOf(request: RequestLike): readonly Segment[] {
  const body = typeof request === 'string' ? parsed(request) : request;
  if (typeof body === 'string') return [{ name: 'text', text: body }];
  const { model, tools, system, messages } = (Array.isArray(body) ? { messages: body } : body) as { readonly [field: string]: unknown };
  return [
    ...(model === undefined ? [] : [segment('model', model)]),
    ...list(tools).map((tool, index) => segment(`tools[${index}]`, tool)),
    ...(system === undefined ? [] : [segment('system', system)]),
    ...list(messages).map((message, index) => segment(`messages[${index}]`, toWire(message as ChatMessage))),
  ];
}

function parsed(text: string): string | { readonly messages: readonly unknown[] } {
  try {
    const value: unknown = JSON.parse(text);
    const isBody = typeof value === 'object' && value !== null && (Array.isArray(value) || 'messages' in value);
    return isBody ? (value as { readonly messages: readonly unknown[] }) : text;
  } catch {
    return text;
  }
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function segment(name: string, value: unknown): Segment {
  return { name, text: typeof value === 'string' ? value : JSON.stringify(value) };
}

function isSame(a: Segment, b: Segment): boolean {
  return a.name === b.name && a.text === b.text;
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 1 : Math.min(1, part / whole);
}

function excerpt(text: string, offset: number): string {
  const start = Math.max(0, offset - 10);
  return text.slice(start, start + 40);
}
