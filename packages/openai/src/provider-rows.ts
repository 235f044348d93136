import type { Capabilities } from '@x/core';

/** How an endpoint wants its requests, and what its answers look like. */
export interface Wire {
  /** The field that limits the answer; exactly one is sent. */
  readonly limitField: 'max_tokens' | 'max_completion_tokens';
  /** Whether token counts may be asked for in a stream. */
  readonly streamUsage: boolean;
  /** True when a `developer` message is accepted; else it is sent as `system`. */
  readonly developerRole: boolean;
  /** The content of an assistant message that only calls tools. */
  readonly emptyContent: 'null' | 'empty';
  /** True when a replayed call must hold JSON: text that is none travels as `{ "unparseable": text }`. */
  readonly argumentsMustParse: boolean;
  /** `nine`: ids are replayed as nine letters and digits. */
  readonly callIds: 'any' | 'nine';
  /** True when a result must tell the name of its tool beside the id of its call. */
  readonly resultNames: boolean;
  /** `plain`: tool schemas are told in the few words of JSON Schema that Google takes; what the rest would demand, the tool checks. */
  readonly schemas: 'full' | 'plain';
  /** What of its earlier reasoning it wants back: nothing, or that of answers which called tools, as text or in its blocks. */
  readonly reasoningReplay: 'never' | 'with-calls' | 'details-with-calls';
  /**
   * How reasoning stands in the text, where it has no field of its own: `none`; `tagged`, between think tags; or
   * `unopened`, where the first tag is part of the prompt, so that everything up to a lone closing tag is reasoning.
   */
  readonly reasoningTags: 'none' | 'tagged' | 'unopened';
}

/** One kind of endpoint. */
export interface ProviderRow {
  readonly id: string;
  /** Host names, each also with any name in front of it. */
  readonly hosts: readonly string[];
  /** Ports by which it is known on the own machine. */
  readonly ports?: readonly number[] | undefined;
  /** The name in the environment whose key belongs to these hosts. */
  readonly keyName?: string | undefined;
  readonly capabilities: Capabilities;
  readonly wire: Wire;
}

// What any endpoint that speaks Chat Completions can be trusted with.
const CAREFUL: Capabilities = { lateNote: 'fenced-user', mergeUserRuns: true, structuredOutput: false };
const CAREFUL_WIRE: Wire = {
  limitField: 'max_tokens',
  streamUsage: true,
  developerRole: false,
  emptyContent: 'empty',
  argumentsMustParse: true,
  callIds: 'any',
  resultNames: false,
  schemas: 'full',
  reasoningReplay: 'never',
  reasoningTags: 'tagged',
};

const UNKNOWN: ProviderRow = { id: 'unknown', hosts: [], capabilities: CAREFUL, wire: CAREFUL_WIRE };

/**
 * What is known of each kind of endpoint. One table for the whole package; the last row is every other endpoint.
 *
 * @remarks Sources: the providers' API references, and the reports of users that the tests of the rows name. A late
 * `developer` note is used only at OpenAI, where it is documented; chat templates of local servers often refuse a
 * system message that is not the first.
 */
export const PROVIDER_ROWS: readonly ProviderRow[] = [
  {
    id: 'openai',
    hosts: ['api.openai.com'],
    keyName: 'OPENAI_API_KEY',
    capabilities: { lateNote: 'developer', mergeUserRuns: false, structuredOutput: true },
    wire: {
      ...CAREFUL_WIRE,
      limitField: 'max_completion_tokens',
      developerRole: true,
      emptyContent: 'null',
      argumentsMustParse: false,
      reasoningTags: 'none',
    },
  },
  {
    id: 'anthropic',
    hosts: ['api.anthropic.com'],
    keyName: 'ANTHROPIC_API_KEY',
    capabilities: { ...CAREFUL, contextWindow: 200_000 },
    wire: { ...CAREFUL_WIRE, reasoningReplay: 'with-calls', reasoningTags: 'none' },
  },
  {
    id: 'gemini',
    hosts: ['generativelanguage.googleapis.com'],
    keyName: 'GEMINI_API_KEY',
    capabilities: { ...CAREFUL, structuredOutput: true, contextWindow: 1_048_576 },
    wire: { ...CAREFUL_WIRE, resultNames: true, schemas: 'plain' },
  },
  {
    id: 'openrouter',
    hosts: ['openrouter.ai'],
    keyName: 'OPENROUTER_API_KEY',
    capabilities: CAREFUL,
    wire: { ...CAREFUL_WIRE, emptyContent: 'null', reasoningReplay: 'details-with-calls' },
  },
  {
    id: 'deepseek',
    hosts: ['api.deepseek.com'],
    keyName: 'DEEPSEEK_API_KEY',
    capabilities: { ...CAREFUL, mergeUserRuns: false, contextWindow: 128_000 },
    wire: { ...CAREFUL_WIRE, reasoningReplay: 'with-calls', reasoningTags: 'none' },
  },
  {
    id: 'mistral',
    hosts: ['api.mistral.ai'],
    keyName: 'MISTRAL_API_KEY',
    capabilities: { ...CAREFUL, structuredOutput: true },
    wire: { ...CAREFUL_WIRE, streamUsage: false, callIds: 'nine' },
  },
  {
    id: 'ollama',
    hosts: ['ollama.com'],
    ports: [11_434],
    keyName: 'OLLAMA_API_KEY',
    capabilities: { ...CAREFUL, mergeUserRuns: false, structuredOutput: true },
    wire: CAREFUL_WIRE,
  },
  { id: 'vllm', hosts: [], ports: [8000], capabilities: { ...CAREFUL, structuredOutput: true }, wire: CAREFUL_WIRE },
  { id: 'llama.cpp', hosts: [], ports: [8080], capabilities: { ...CAREFUL, structuredOutput: true }, wire: CAREFUL_WIRE },
  UNKNOWN,
];

/**
 * The row of an endpoint, by its host, and on the own machine by its port.
 *
 * @param baseUrl - An absolute URL.
 */
export function findProviderRow(baseUrl: string): ProviderRow {
  const { hostname, port } = new URL(baseUrl);
  const found = PROVIDER_ROWS.find(
    ({ hosts, ports = [] }) =>
      hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`)) || (isLoopback(hostname) && ports.includes(Number(port))),
  );
  return found ?? UNKNOWN;
}

/** The row of this id; that of every other endpoint, `unknown`, when there is none. */
export function providerRow(id: string): ProviderRow {
  return PROVIDER_ROWS.find((row) => row.id === id) ?? UNKNOWN;
}

/** True for the own machine: `localhost` and names below it, 127.0.0.0/8 and ::1. */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
