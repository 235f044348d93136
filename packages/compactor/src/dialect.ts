/**
 * The one place that knows how four shapes of messages say the same things: OpenAI's chat messages, Anthropic's content
 * parts, the items of OpenAI's Responses, and the parts of the AI SDK. Everything else asks {@link traitsOf}.
 */
export type Fields = { readonly [key: string]: unknown };

/** Where a call or a result stands in a message, and so in which shape its counterpart is written. */
export type Shape = 'chat' | 'anthropic' | 'responses' | 'sdk';

export interface MessageTraits {
  /** `''` for an item without one. */
  readonly role: string;
  /** `undefined` on plain messages. */
  readonly origin: string | undefined;
  /** Ids of the tool calls it makes. */
  readonly calls: readonly string[];
  /** Ids of the tool calls it answers. */
  readonly results: readonly string[];
  /** True for a user message that holds more than results. */
  readonly speaks: boolean;
  /** True for a note that belongs to what stands around it: a Responses reasoning item, a human's answer about a call. */
  readonly glued: boolean;
}

/** Items of Responses that call a tool of the host; each is answered by an item of its name and `_output`. */
const CALL_ITEMS: readonly unknown[] = ['function_call', 'custom_tool_call'];
const RESULT_ITEMS = CALL_ITEMS.map((type) => `${type}_output`) as readonly unknown[];

export const isCallItem = (message: object): boolean => CALL_ITEMS.includes((message as Fields)['type']);
export const isResultItem = (message: object): boolean => RESULT_ITEMS.includes((message as Fields)['type']);

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const NONE: readonly string[] = [];
const PLAIN = { origin: undefined, calls: NONE, results: NONE, glued: false };
const PLAIN_USER: MessageTraits = { ...PLAIN, role: 'user', speaks: true };
const PLAIN_ASSISTANT: MessageTraits = { ...PLAIN, role: 'assistant', speaks: false };

export function traitsOf(message: object): MessageTraits {
  const fields = message as Fields;
  const { role, content, origin, type } = fields;
  // Most messages are plain text: they share what is known of them.
  if (typeof content === 'string' && origin === undefined && type === undefined) {
    if (role === 'user') return PLAIN_USER;
    if (role === 'assistant' && fields['tool_calls'] === undefined) return PLAIN_ASSISTANT;
  }
  const calls: string[] = [];
  const results: string[] = [];
  let other = typeof content === 'string';
  if (Array.isArray(fields['tool_calls'])) for (const call of fields['tool_calls']) calls.push(idOf((call as Fields | null)?.['id']));
  if (isCallItem(message)) calls.push(idOf(fields['call_id']));
  else if (isResultItem(message)) results.push(idOf(fields['call_id']));
  if (Array.isArray(content)) {
    for (const part of content) {
      const call = callIdOfPart(part);
      const result = resultIdOfPart(part);
      if (call !== undefined) calls.push(call);
      else if (result !== undefined) results.push(result);
      else other = true;
    }
  }
  const isAnswer = role === 'tool' && results.length === 0 && isApproval(content);
  if (role === 'tool' && results.length === 0 && !isAnswer) results.push(idOf(fields['tool_call_id']));
  // A provider that runs its own tools writes the result beside the call: such a pair is whole.
  const isOwn = calls.length > 0 && results.length > 0;
  const unanswered = isOwn ? calls.filter((id) => !results.includes(id)) : calls;
  const uncalled = isOwn ? results.filter((id) => !calls.includes(id)) : results;
  return {
    role: typeof role === 'string' ? role : '',
    origin: typeof origin === 'string' ? origin : undefined,
    calls: unanswered.length === 0 ? NONE : unanswered,
    results: uncalled.length === 0 ? NONE : uncalled,
    speaks: role === 'user' && (other || results.length === 0),
    glued: type === 'reasoning' || isAnswer,
  };
}

/** Content that is nothing but a human's yes or no about calls, as the AI SDK stores it. */
function isApproval(content: unknown): boolean {
  return (
    Array.isArray(content) && content.length > 0 && content.every((part) => isFields(part) && part['type'] === 'tool-approval-response')
  );
}

/** Ids of the calls of a message about which a human is asked. */
export function questionsIn(message: object): readonly string[] {
  const { content } = message as Fields;
  if (!Array.isArray(content)) return NONE;
  return content.flatMap((part) => (isFields(part) && part['type'] === 'tool-approval-request' ? [idOf(part['toolCallId'])] : NONE));
}

function idOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function callIdOfPart(part: unknown): string | undefined {
  if (!isFields(part)) return undefined;
  if (part['type'] === 'tool_use') return idOf(part['id']);
  return part['type'] === 'tool-call' ? idOf(part['toolCallId']) : undefined;
}

export function resultIdOfPart(part: unknown): string | undefined {
  if (!isFields(part)) return undefined;
  if (part['type'] === 'tool_result') return idOf(part['tool_use_id']);
  return part['type'] === 'tool-result' ? idOf(part['toolCallId']) : undefined;
}

/** Name and arguments of the calls in a message, the arguments as text. */
export function callsIn(message: object): readonly { readonly id: string; readonly name: string; readonly args: string }[] {
  const fields = message as Fields;
  const found: { id: string; name: string; args: string }[] = [];
  const add = (id: unknown, name: unknown, args: unknown): void => {
    found.push({ id: idOf(id), name: idOf(name), args: typeof args === 'string' ? args : jsonOf(args) });
  };
  if (Array.isArray(fields['tool_calls'])) {
    for (const call of fields['tool_calls']) {
      const target = isFields(call) ? call['function'] : undefined;
      if (isFields(call))
        add(call['id'], isFields(target) ? target['name'] : call['name'], isFields(target) ? target['arguments'] : call['input']);
    }
  }
  if (isCallItem(message)) add(fields['call_id'], fields['name'], fields['arguments'] ?? fields['input']);
  if (Array.isArray(fields['content'])) {
    for (const part of fields['content']) {
      if (!isFields(part) || callIdOfPart(part) === undefined) continue;
      if (part['type'] === 'tool_use') add(part['id'], part['name'], part['input']);
      else add(part['toolCallId'], part['toolName'], part['input'] ?? part['args']);
    }
  }
  return found;
}

/** Parts and items with what a model thought, by OpenAI, Anthropic, the AI SDK and LangChain. */
const THOUGHTS: ReadonlySet<unknown> = new Set(['reasoning', 'reasoning_text', 'summary_text', 'thinking']);

/** What a person or a model said in a message: its text without calls, results and thoughts. */
export function spokenText(message: object): string {
  const { content, type } = message as Fields;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content) || isCallItem(message) || THOUGHTS.has(type)) return '';
  const texts: string[] = [];
  for (const part of content) {
    if (typeof part === 'string') texts.push(part);
    else if (isFields(part) && typeof part['text'] === 'string' && !THOUGHTS.has(part['type'])) texts.push(part['text']);
  }
  return texts.join('\n');
}

/** The text of the tool results in a message. */
export function resultTexts(message: object): readonly string[] {
  const texts: string[] = [];
  mapResults(message, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/**
 * A copy of a message whose tool results went through `change`; the message itself when nothing changed. Pictures
 * inside results are passed as `[picture]` and stay unless their text changes.
 */
export function mapResults<M extends object>(message: M, change: (text: string) => string): M {
  const fields = message as Fields;
  if (isResultItem(message)) return withField(message, 'output', mapPayload(fields['output'], change));
  const content = fields['content'];
  if (!Array.isArray(content)) return fields['role'] === 'tool' ? withField(message, 'content', mapPayload(content, change)) : message;
  let changed = false;
  const parts = content.map((part: unknown) => {
    if (!isFields(part) || resultIdOfPart(part) === undefined) return part;
    const key = part['type'] === 'tool_result' ? 'content' : 'output' in part ? 'output' : 'result';
    const next = withField(part, key, mapPayload(part[key], change));
    changed ||= next !== part;
    return next;
  });
  if (changed) return { ...message, content: parts };
  const isPlainTool = fields['role'] === 'tool' && content.every((part) => resultIdOfPart(part) === undefined);
  return isPlainTool ? withField(message, 'content', mapPayload(content, change)) : message;
}

const PICTURE = '[picture]';

function mapPayload(payload: unknown, change: (text: string) => string): unknown {
  if (typeof payload === 'string') return change(payload);
  if (payload === undefined || payload === null) return payload;
  if (Array.isArray(payload)) {
    let changed = false;
    const parts = payload.map((part: unknown) => {
      if (isFields(part) && typeof part['text'] === 'string') {
        const next = withField(part, 'text', change(part['text']));
        changed ||= next !== part;
        return next;
      }
      const type = isFields(part) ? String(part['type']) : '';
      const before = /image|picture/.test(type) ? PICTURE : jsonOf(part);
      const after = change(before);
      if (after === before) return part;
      changed = true;
      return { type: type.startsWith('input_') ? 'input_text' : 'text', text: before === PICTURE ? '[picture left out]' : after };
    });
    return changed ? parts : payload;
  }
  if (isFields(payload) && 'value' in payload) return mapOutput(payload, change);
  const before = jsonOf(payload);
  const after = change(before);
  return after === before ? payload : after;
}

/** An output of the AI SDK, `{ type, value }`: JSON that changed is text. */
function mapOutput(output: Fields, change: (text: string) => string): unknown {
  const { type, value } = output;
  if (typeof value === 'string' || type === 'content') return withField(output, 'value', mapPayload(value, change));
  const before = jsonOf(value);
  const after = change(before);
  return after === before ? output : { ...output, type: type === 'error-json' ? 'error-text' : 'text', value: after };
}

function withField<T extends object>(object: T, key: string, value: unknown): T {
  return (object as Fields)[key] === value ? object : { ...object, [key]: value };
}

/** The shape of the first call in a message. */
export function shapeOf(message: object): Shape {
  const fields = message as Fields;
  if (isCallItem(message)) return 'responses';
  if (Array.isArray(fields['tool_calls']) && fields['tool_calls'].length > 0) return 'chat';
  const content = Array.isArray(fields['content']) ? fields['content'] : [];
  return content.some((part) => isFields(part) && part['type'] === 'tool-call') ? 'sdk' : 'anthropic';
}

export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}
