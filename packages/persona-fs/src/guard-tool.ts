import type { ITool } from '@x/core';
import { classifyReply, holdsQuietToken } from './classify-reply.js';

/** A tool that says something to somebody, by its name. */
const SPEAKS =
  /(?:^|[_.-]|(?<=[a-z])(?=[A-Z]))(?:send|notify|post|reply|respond|message|say|tell|speak|push|sms|text|email|mail|publish|alert)/i;
/** Arguments that hold what is said. */
const SAID: ReadonlySet<string> = new Set(['text', 'message', 'body', 'content', 'caption', 'msg', 'reply']);

/**
 * A granted tool as a beat gets it. What a beat says by a tool passes the same judgement as its reply: an
 * acknowledgement is not said, and the quiet token leaves by no way. The memory tool judges for itself.
 */
export function guardTool(tool: ITool): ITool {
  if (/^memory(?:_|$)/.test(tool.name)) return tool;
  return {
    ...tool,
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
    execute(args, context) {
      const said = judge(tool.name, args);
      if (said === 'silent') return 'Nothing was sent: there is nothing that anybody should hear. To end in silence call heartbeat_ok.';
      return tool.execute(said as never, context);
    },
  };
}

/** The arguments without the token, or `silent` when they say nothing. */
function judge(name: string, args: unknown): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  const speaks = SPEAKS.test(name);
  const entries = Object.entries(args as { readonly [name: string]: unknown });
  const said = entries.filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && entry[1] !== '' && (holdsQuietToken(entry[1]) || (speaks && SAID.has(entry[0].toLowerCase()))),
  );
  const verdicts = new Map(said.map(([key, text]) => [key, classifyReply(text)]));
  if (said.length > 0 && [...verdicts.values()].every(({ silent }) => silent)) return 'silent';
  if (!speaks) return args;
  return Object.fromEntries(entries.map(([key, value]) => [key, spoken(value, verdicts.get(key))]));
}

const spoken = (value: unknown, verdict: { readonly text: string } | undefined): unknown =>
  verdict !== undefined && holdsQuietToken(String(value)) ? verdict.text : value;
