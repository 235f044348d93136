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
}
export interface Report {
  readonly id: string;
  readonly turn: number;
  readonly atMs: number;
  readonly user: string;
  readonly reply: string;
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

async function ask<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(
    `/api${path}`,
    body ? { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) } : {},
  );
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message ?? `The server answered ${response.status}.`);
  return answer as T;
}

export const api = {
  sessions: () => ask<{ personas: PersonaChoice[]; sessions: SessionRow[] }>('/sessions'),
  create: (persona: string) => ask<SessionRow>('/sessions', { persona }),
  session: (id: string) => ask<SessionView>(`/session/${id}`),
  prompt: (id: string, turn: string) => ask<PromptView>(`/session/${id}/turn/${turn}`),
  why: (id: string, turn: string, line: number) => ask<Cause>(`/session/${id}/turn/${turn}/why?line=${line}`),
  undo: (id: string, operation: string) => ask<SessionView>(`/session/${id}/undo`, { operation }),
  undoMemory: (id: string, record: string) => ask<SessionView>(`/session/${id}/memory/undo`, { record }),
  exportUrl: (id: string, turn: string) => `/api/session/${id}/turn/${turn}/export`,
};

/** Says something and hands on what comes back, as it comes. */
export async function say(id: string, text: string, onMessage: (message: TurnMessage) => void): Promise<void> {
  const response = await fetch(`/api/session/${id}/turn`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text }),
  });
  if (!response.ok || !response.body) throw new Error(`The server answered ${response.status}.`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  for (;;) {
    const { done, value } = await reader.read();
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
      if (data) onMessage(JSON.parse(data) as TurnMessage);
    }
  }
}
