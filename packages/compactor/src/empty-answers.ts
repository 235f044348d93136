/** Texts that answer the call for a summary without being one: a call of a tool, a form left blank, a question back. */

const TAGGED_CALL =
  /^\s*(?:<(?:tool_calls?|tool_use|function_calls?|invoke|function)[\s=>]|\[TOOL_CALLS\]|<\|(?:python_tag|tool_calls?(?:_begin|_start)?)\|>)|(?:^|\n)\s*<tool_call>[\s\S]*<\/tool_call>\s*$/i;

/** True for a tool call that a model wrote as text, having no tools to call. */
export function isToolCall(text: string): boolean {
  if (TAGGED_CALL.test(text)) return true;
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    const value: unknown = JSON.parse(text);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof first !== 'object' || first === null) return false;
    const fields = first as { readonly [key: string]: unknown };
    if (Array.isArray(fields['tool_calls'])) return true;
    const known = ['id', 'type', 'name', 'arguments', 'parameters', 'input'];
    const given = fields['arguments'] ?? fields['parameters'] ?? fields['input'];
    return typeof fields['name'] === 'string' && given !== undefined && Object.keys(fields).every((key) => known.includes(key));
  } catch {
    return false;
  }
}

/** `## Goal`, `**Goal:** N/A`; what stands behind the colon is the second group. */
const HEADING = /^(?:#{1,6}\s+|\*\*)([\p{L} '’/&-]{1,30})(?:\*\*)?(?::\s*(?:\*\*)?\s*(.*))?$/u;
const FILLER =
  /^(?:n\/?a|none(?: (?:yet|so far|known|found))?|nothing(?: (?:yet|so far|known|to report))?|empty|t\.?b\.?[da]|unknown|not (?:applicable|available|specified|mentioned|known)|no (?:items?|facts?|tasks?|information|data))$/i;

/** True for headings with nothing under them, or with words that say so. */
export function isBlankForm(text: string): boolean {
  let headings = 0;
  return (
    text.split('\n').every((line) => {
      const plain = line.trim().replace(/^(?:[-*+•]|\d{1,2}[.)])\s+/, '');
      const heading = HEADING.exec(plain);
      if (heading !== null) headings += 1;
      const said = (heading === null ? plain : (heading[2] ?? '')).replace(/^[\s([_*]+|[\s.)\]_*-]+$/g, '');
      return said === '' || FILLER.test(said);
    }) && headings > 0
  );
}

const TALK = '(?:conversation|transcript|messages?|chat(?: history| log)?|history|text|content|record)';
const KINDLY =
  "(?:(?:sure|of course|certainly|absolutely|okay|ok|i(?:['’]d| would) be happy to help|happy to help)\\b[^.!?\\n]{0,60}[.!]\\s+)?";
const ASKING = new RegExp(
  [
    `^${KINDLY}(?:please|(?:could|can|would) you(?: please)?) (?:provide|share|paste|send|upload|include|give me)(?: me)?(?: with)? (?:the |your |a |more )?(?:\\w+ ){0,2}${TALK}(?:[.!?]|$| (?:you|that|to|so|for|here|first|below)\\b)[^\\n]{0,120}$`,
    `^(?:it (?:looks|seems) like )?(?:there (?:is|are) no|i (?:do not|don['’]t|can['’]?(?:no)?t|could ?n[o'’]t) (?:see|find|have)(?: any| an?| the)?) (?:actual |previous |prior )?${TALK}(?: (?:to (?:summari[sz]e|work with)|in your (?:message|request|prompt)|here|provided|yet|attached|included))*(?:[.!?]|$)(?:\\s+(?:could|can|would|please)\\b[^\\n]*)?$`,
  ].join('|'),
  'i',
);
const NODDING =
  /^(?:ok(?:ay)?|done|understood|sure(?: thing)?|got it|of course|certainly|noted|acknowledged|will do|all right|alright|yes|no|ready|thanks?|thank you)$/i;
const ANNOUNCING =
  /^(?:(?:sure|of course|certainly|okay|ok)[,!.]? )?here(?:['’]s| is) (?:a|the|your) (?:\w+ ){0,3}summary(?: of (?:the|our|this) [^:.\n]{0,60})?$/i;

/** True for an answer that asks for the conversation, or does no more than agree to summarise it. */
export function isNoAnswer(text: string): boolean {
  const plain = text.trim().replace(/^["'“(*_\s]+|["'”)*_\s.!:…]+$/g, '');
  return NODDING.test(plain) || ANNOUNCING.test(plain) || ASKING.test(text.trim());
}
