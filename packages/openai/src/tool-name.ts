/**
 * The name of the tool that a model meant. Some write marks of their template behind it, or the name of a group before it.
 *
 * @remarks Such as `look<|channel|>commentary` and `functions.look` of gpt-oss, and `default_api:look` of Gemini.
 */
export function meantTool(name: string, known: ReadonlySet<string>): string {
  if (known.has(name)) return name;
  const bare = name.replace(/<\|.*$/s, '').trim();
  const candidates = [bare, bare.replace(/^(?:functions?|tools?|default_api|multi_tool_use)[.:]/, '')];
  return candidates.find((candidate) => known.has(candidate)) ?? name;
}

/** A name as it may be replayed: one that a model made up would be refused with the whole request. */
export function replayedName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
}
