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
  const speaks = SPEAKS.test(name);
  const said: string[] = [];
  // What another tool is given in lists and maps is its work, such as a pattern to look for.
  changeTexts(speaks ? args : ownTexts(args), (text, key) => {
    if (text !== '' && (holdsQuietToken(text) || (speaks && SAID.has(key.toLowerCase())))) said.push(text);
    return text;
  });
  if (said.length > 0 && said.every((text) => classifyReply(text).silent)) return 'silent';
  if (!speaks || !said.some(holdsQuietToken)) return args;
  return changeTexts(args, (text) => (holdsQuietToken(text) ? classifyReply(text).text : text));
}

const ownTexts = (args: unknown): readonly unknown[] =>
  typeof args === 'object' && args !== null && !Array.isArray(args) ? Object.values(args).filter((value) => typeof value === 'string') : [];

/** The value with each of its texts changed, those in lists and maps too; `key` is the nearest name around the text. */
function changeTexts(value: unknown, change: (text: string, key: string) => string, key = ''): unknown {
  if (typeof value === 'string') return change(value, key);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => changeTexts(item, change, key));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, changeTexts(item, change, name)]));
}
