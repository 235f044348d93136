/**
 * A rough count of tokens: a quarter of each ASCII character, one for each other. Used for what no provider counts:
 * the overhead beside the messages, and usage that was not reported.
 */
export function roughTokens(text: string): number {
  let wide = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) wide += 1;
  return Math.ceil((text.length - wide) / 4 + wide);
}
