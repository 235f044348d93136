/** The shapes that the inspector's server sends. */
export interface PersonaChoice {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
}
export interface SessionRow {
  readonly id: string;
  readonly persona: string;
  readonly title: string;
  readonly turns: number;
  readonly updatedMs: number;
  readonly isWaiting?: boolean;
}
export interface Answered {
  readonly id: string;
  readonly tool: string;
  readonly prompt: string;
  readonly said: string;
  readonly output?: string;
  readonly atMs: number;
}
export interface Report {
  readonly id: string;
  readonly turn: number;
  readonly atMs: number;
  readonly user: string;
  readonly reply: string;
  /** Absent in reports of earlier builds, as are `tools`. */
  readonly status?: 'done' | 'pending' | 'incomplete';
  readonly limit?: string;
  readonly askedBy?: string;
  readonly tools?: readonly { readonly id: string; readonly name: string; readonly output: string; readonly isError: boolean }[];
  readonly answers?: readonly Answered[];
  readonly score: number | null;
  readonly evidence: readonly string[];
  readonly events: readonly string[];
  readonly fired: readonly string[];
  readonly stateAfter: { readonly mood: string; readonly skill: string; readonly complexity: string };
  readonly changes: readonly { readonly what: string; readonly from: unknown; readonly to: unknown; readonly why: string }[];
  readonly elements: { readonly inPrompt: readonly string[]; readonly entered: readonly string[]; readonly left: readonly string[] };
  readonly prefix: readonly { readonly stability?: number; readonly cachedShare?: number; readonly break?: string }[];
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
}
export interface Axis {
  readonly trait: string;
  readonly label: string;
  readonly value: number;
  readonly baseline: number;
  readonly point: { readonly x: number; readonly y: number };
  readonly guidance: string;
}
export interface Change {
  readonly id: string;
  readonly operation: { readonly [key: string]: unknown };
  readonly by: string;
  readonly why: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly atMs: number;
}
export interface MemoryRecord {
  readonly id: string;
  readonly atMs: number;
  readonly by: { readonly kind: string; readonly sender?: string };
  readonly file: string;
  readonly action: string;
  readonly before: string;
  readonly after: string;
}
export type AnswerForm =
  | { readonly kind: 'yes-no' }
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  | { readonly kind: 'text'; readonly mayBeEmpty: boolean };
export interface Question {
  readonly id: string;
  readonly kind: string;
  readonly prompt: string;
  readonly url?: string;
  readonly data?: unknown;
  readonly expiresAtMs?: number;
  readonly form: AnswerForm;
  readonly turn: string;
  readonly tool: string;
  /** JSON, as the model wrote it. */
  readonly args: string;
  readonly asker: string;
  readonly sinceMs?: number;
  readonly isAnswered: boolean;
  readonly hasTool: boolean;
}
export interface SessionView {
  readonly id: string;
  readonly persona: { readonly id: string; readonly name: string };
  readonly state: {
    readonly mood: string;
    readonly skill: string;
    readonly complexity: string;
    readonly language?: string;
    readonly domain?: string;
    readonly imprints: { readonly [key: string]: unknown };
  };
  readonly radar: readonly Axis[];
  readonly reports: readonly Report[];
  readonly question?: Question;
  readonly changes: readonly Change[];
  readonly fold?: { readonly summary: string; readonly revision: number; readonly covered: number; readonly ledger: readonly string[] };
  readonly transcript: { readonly now: number; readonly original: number };
  readonly memory?: {
    readonly entries: readonly {
      readonly target: string;
      readonly text: string;
      readonly by?: { readonly kind: string; readonly sender?: string };
    }[];
    readonly log: readonly MemoryRecord[];
  };
  readonly schedule: readonly number[];
}
export interface PromptLine {
  readonly number: number;
  readonly role: string;
  readonly text: string;
  readonly place: 'stable' | 'volatile' | 'conversation';
  readonly part: string;
  readonly isNew: boolean;
}
export interface PromptView {
  readonly lines: readonly PromptLine[];
  readonly gone: readonly string[];
}
export interface Cause {
  readonly place: string;
  readonly part: string;
  readonly element?: string;
  readonly changes: readonly { readonly by: string; readonly why: string; readonly from: unknown; readonly to: unknown }[];
}
export type TurnMessage =
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'report'; readonly report: Report }
  | { readonly type: 'error'; readonly code: string; readonly message: string };

/** What a request came to when it failed; `code` is there where the server gave one. */
export class RequestError extends Error {
  readonly code: string | undefined;
  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

async function request(path: string, body?: object): Promise<Response> {
  const response = await fetch(
    `/api${path}`,
    body ? { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) } : {},
  ).catch(() => {
    throw new RequestError('The inspector does not answer. Look whether its process is still running.');
  });
  if (response.ok) return response;
  const text = await response.text();
  if (!response.headers.get('Content-Type')?.startsWith('application/json'))
    throw new RequestError(text || `The server answered ${response.status}.`);
  const { code, message } = JSON.parse(text) as { readonly code?: string; readonly message?: string };
  throw new RequestError(message ?? `The server answered ${response.status}.`, code);
}

const ask = async <T>(path: string, body?: object): Promise<T> => (await request(path, body)).json();

export const api = {
  sessions: () => ask<{ personas: PersonaChoice[]; sessions: SessionRow[] }>('/sessions'),
  create: (persona: string) => ask<SessionRow>('/sessions', { persona }),
  session: (id: string) => ask<SessionView>(`/session/${id}`),
  prompt: (id: string, turn: string) => ask<PromptView>(`/session/${id}/turn/${turn}`),
  why: (id: string, turn: string, line: number) => ask<Cause>(`/session/${id}/turn/${turn}/why?line=${line}`),
  undo: (id: string, operation: string) => ask<SessionView>(`/session/${id}/undo`, { operation }),
  undoMemory: (id: string, record: string) => ask<SessionView>(`/session/${id}/memory/undo`, { record }),
  drop: (id: string, question: string) => ask<SessionView>(`/session/${id}/drop`, { question }),
  stop: (id: string) => ask<object>(`/session/${id}/stop`, {}),
  exportUrl: (id: string, turn: string) => `/api/session/${id}/turn/${turn}/export`,
};

/** What the page says: a message, or an answer to the question that is open. */
export type Said = { readonly text: string } | { readonly question: string; readonly ok: boolean; readonly value?: string | undefined };

/** Says something and hands on the words that come back, as they come. @throws {@link RequestError} also when the turn failed. */
export async function say(id: string, said: Said, onText: (text: string) => void): Promise<void> {
  const { body } = await request(`/session/${id}/${'text' in said ? 'turn' : 'answer'}`, said);
  const reader = (body ?? new ReadableStream<Uint8Array<ArrayBuffer>>()).pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new RequestError('The inspector went away while it answered. Look whether its process is still running.');
    });
    if (done) return;
    buffer += value;
    const blocks = buffer.split('\n\n');
    buffer = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trim())
        .join('');
      const message = data ? (JSON.parse(data) as TurnMessage) : undefined;
      if (message?.type === 'delta') onText(message.text);
      if (message?.type === 'error') throw new RequestError(message.message, message.code);
    }
  }
}
