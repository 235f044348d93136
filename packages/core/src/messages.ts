/**
 * Who a message comes from. Only `user` text is scored, learned from or counted as a turn; `synthetic` marks text that
 * the machine put in (a fold's summary, a reminder), `heartbeat` a beat, `internal` a note between parts.
 */
export type Origin = 'user' | 'assistant' | 'tool' | 'heartbeat' | 'internal' | 'synthetic';

/** One piece of a message that is not plain text. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string; readonly detail?: 'auto' | 'low' | 'high' | undefined } }
  | { readonly type: 'input_audio'; readonly input_audio: { readonly data: string; readonly format: string } };

/** A model's request to run a tool; `arguments` is the text the model wrote, not parsed. */
export interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** Who typed a user message: a stable id, and whether that person owns the agent. */
export interface Sender {
  readonly id: string;
  readonly owner: boolean;
}

/** One entry of a conversation, in the shape of OpenAI's chat messages. */
export interface ChatMessage {
  /** Ours, never on the wire: what blocks, folds and hooks hold on to. */
  readonly id?: string | undefined;
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly content: string | null | readonly ContentPart[];
  readonly tool_calls?: readonly ToolCall[] | undefined;
  readonly tool_call_id?: string | undefined;
  /** Ours, never on the wire. */
  readonly origin?: Origin | undefined;
  /** Ours, never on the wire. */
  readonly sender?: Sender | undefined;
}

/** A message as the store keeps it. */
export type Stored = ChatMessage & { readonly id: string; readonly origin: Origin };

/** Every role of a message. */
export const ROLES: readonly ChatMessage['role'][] = ['system', 'developer', 'user', 'assistant', 'tool'];

export function isMessageRole(value: unknown): value is ChatMessage['role'] {
  return ROLES.some((role) => role === value);
}

/** The text of a message: a string as it is, the text parts of a list joined by line breaks, `''` for none. */
export function textOf(message: Pick<ChatMessage, 'content'>): string {
  const { content } = message;
  if (typeof content === 'string') return content;
  // Clients leave the content of a message out that only calls, and parts may be anything.
  return content?.flatMap?.((part) => (part?.type === 'text' ? [part.text] : [])).join('\n') ?? '';
}

/** A message without what is ours: just the fields a provider may see. */
export function toWire({ id: _id, origin: _origin, sender: _sender, ...wire }: ChatMessage): ChatMessage {
  return wire;
}

/** How the message opens that stands for older messages of a talk. */
export const SUMMARY_OPENING = '[Summary of earlier conversation]';

/**
 * A message as it takes part in the talk: `undefined` for a system message, which is an instruction of whoever stored it.
 * The public system stores what it knows of older messages as one, so that is taken for a user message.
 */
export function asTalk<M extends ChatMessage>(message: M): M | undefined {
  if (message.role !== 'system') return message;
  return textOf(message).startsWith(SUMMARY_OPENING) ? { ...message, role: 'user' } : undefined;
}
