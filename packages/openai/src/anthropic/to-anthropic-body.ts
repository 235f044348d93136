import { type ChatMessage, type ContentPart, type ModelRequest, type ToolSpec, textOf } from '@x/core';
import { NO_OUTPUT, NO_TEXT, replayedArguments, toolsCalled } from '../to-openai-body.js';
import { replayedName } from '../tool-name.js';
import type { ObjectSchema } from '../tool-schema.js';
import { wellFormed, wellFormedDeep } from '../well-formed.js';

/** A block of content, as the Messages API has it. */
export type Block = { readonly type: string; readonly [field: string]: unknown };

/** What an endpoint may refuse: fields that are then left out, and a talk with calls without the tools for them. */
export type Refusable = 'temperature' | 'cache_control' | 'tools_wanted';

export interface AnthropicBodyOptions {
  readonly model: string;
  readonly schemaOf: (tool: ToolSpec) => ObjectSchema;
  /** The blocks of thinking that led to a call of this id, signatures included, and the text between them, if they were seen. */
  readonly thinkingOf: (callId: string) => readonly Block[] | undefined;
  /** Whether the endpoint is asked to keep the prompt in its cache. */
  readonly cache: boolean;
  /** The API demands a limit; used where the request has none. */
  readonly defaultMaxTokens: number;
  /** Fields that this endpoint has refused before. */
  readonly refused: ReadonlySet<Refusable>;
  readonly extraBody?: { readonly [field: string]: unknown } | undefined;
}

interface Entry {
  readonly role: 'user' | 'assistant';
  readonly content: Block[];
}

/**
 * A request in the form of Anthropic's Messages: the system prompt as a field of its own, calls and results as blocks,
 * user and assistant in turns with a user first.
 */
export function toAnthropicBody(request: ModelRequest, options: AnthropicBodyOptions): { readonly [field: string]: unknown } {
  const { model, schemaOf, cache, defaultMaxTokens, refused, extraBody } = options;
  const { messages, maxOutputTokens = defaultMaxTokens, temperature } = request;
  const standIns = request.tools.length === 0 && refused.has('tools_wanted') ? toolsCalled(messages) : [];
  const tools = [...request.tools, ...standIns];
  const [first] = messages;
  const leading = first?.role === 'system' || first?.role === 'developer' ? first : undefined;
  const system = leading ? wellFormed(textOf(leading)) : '';
  return {
    model,
    max_tokens: maxOutputTokens,
    ...(system.trim() !== '' && { system }),
    messages: inTurns(leading ? messages.slice(1) : messages, options),
    ...(tools.length > 0 && {
      tools: tools.map((tool) => ({ name: tool.name, description: wellFormed(tool.description ?? ''), input_schema: schemaOf(tool) })),
    }),
    ...(standIns.length > 0 && { tool_choice: { type: 'none' } }),
    ...(temperature !== undefined && !refused.has('temperature') && { temperature: Math.min(1, Math.max(0, temperature)) }),
    // One mark for the whole request: the endpoint moves it along by itself, so no earlier byte changes.
    ...(cache && !refused.has('cache_control') && { cache_control: { type: 'ephemeral' } }),
    stream: true,
    ...extraBody,
  };
}

function inTurns(messages: readonly ChatMessage[], options: AnthropicBodyOptions): readonly Entry[] {
  const entries: Entry[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = blocksOf(message, options);
    const last = entries.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) last.content.push(...content);
    else entries.push({ role, content: [...content] });
  }
  // A message of the user of which nothing is left would make the model go on with its own last answer.
  if (messages.at(-1)?.role !== 'assistant' && entries.at(-1)?.role !== 'user')
    entries.push({ role: 'user', content: [{ type: 'text', text: NO_TEXT }] });
  // Results stand before any other block of their message.
  for (const { content } of entries) content.sort((a, b) => Number(b.type === 'tool_result') - Number(a.type === 'tool_result'));
  if (entries[0]?.role === 'assistant')
    entries.unshift({ role: 'user', content: [{ type: 'text', text: '(The conversation begins with the assistant.)' }] });
  return entries;
}

function blocksOf(message: ChatMessage, { thinkingOf }: AnthropicBodyOptions): readonly Block[] {
  const { role, content, tool_calls, tool_call_id: callId = '' } = message;
  const calls = tool_calls ?? []; // a store of a host's may hold null
  if (role === 'tool') {
    const output = wellFormed(textOf(message));
    return [{ type: 'tool_result', tool_use_id: idFor(callId, thinkingOf), content: output.trim() === '' ? NO_OUTPUT : output }];
  }
  // A text block that is blank is refused.
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : (content ?? []);
  const spoken = parts.flatMap((part) => partOf(part)).filter((block) => block.type !== 'text' || String(block['text']).trim() !== '');
  if (role !== 'assistant') return spoken;
  const kept = calls[0] ? (thinkingOf(calls[0].id) ?? []) : [];
  return [
    ...inOrder(kept, spoken),
    ...calls.map(({ id, function: called }) => ({
      type: 'tool_use',
      id: idFor(id, thinkingOf),
      name: replayedName(called.name),
      input: wellFormedDeep(JSON.parse(replayedArguments(called.arguments, { argumentsMustParse: true })) as unknown),
    })),
  ];
}

// The endpoint refuses thinking in another order than it came in; where the text is another by now, it stands behind.
function inOrder(kept: readonly Block[], spoken: readonly Block[]): readonly Block[] {
  const textIn = (blocks: readonly Block[]): string => blocks.map((block) => String(block['text'] ?? '')).join('');
  const isSame = spoken.every(({ type }) => type === 'text') && textIn(kept.filter(({ type }) => type === 'text')) === textIn(spoken);
  if (isSame) return kept.filter(({ type, text }) => type !== 'text' || String(text).trim() !== '');
  return [...kept.filter(({ type }) => type !== 'text'), ...spoken];
}

function partOf(part: ContentPart): readonly Block[] {
  if (part.type === 'text') return [{ type: 'text', text: wellFormed(part.text) }];
  if (part.type === 'image_url') {
    const [, mediaType, data] = /^data:([\w/+.-]+);base64,(.*)$/s.exec(part.image_url.url) ?? [];
    const source = mediaType === undefined ? { type: 'url', url: part.image_url.url } : { type: 'base64', media_type: mediaType, data };
    return [{ type: 'image', source }];
  }
  return [{ type: 'text', text: '(a sound recording, which this model cannot hear)' }];
}

// Ids have letters, digits, dashes and underscores. One of the endpoint's own stays: Kimi knows its calls by their form.
function idFor(id: string, thinkingOf: AnthropicBodyOptions['thinkingOf']): string {
  return /^[\w-]+$/.test(id) || thinkingOf(id) !== undefined
    ? id
    : `call_${Array.from(id, (char) => (/[\w-]/.test(char) ? char : (char.codePointAt(0) ?? 0).toString(36))).join('')}`;
}
