/**
 * Compiles a regular expression that cannot run for ever: one where a repeated group holds a repetition or a choice is
 * refused, as are back references. What is left runs in time polynomial in the line, and lines are cut before.
 */
export function safePattern(source: string, ignoreCase: boolean): { test(text: string): boolean } | { readonly problem: string } {
  if (source === '' || source.length > 500) return { problem: 'The pattern must have 1 to 500 characters.' };
  let expression: RegExp;
  try {
    expression = new RegExp(source, ignoreCase ? 'i' : '');
  } catch (error) {
    return { problem: `The pattern is no regular expression: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (runsAway(source)) return { problem: 'The pattern repeats a group that itself repeats, chooses or refers back. Write it flat.' };
  return { test: (text) => expression.test(text) };
}

function runsAway(source: string): boolean {
  const groups: boolean[] = []; // for each open group: does it hold a repetition or a choice
  let repeats = 0;
  for (let index = 0; index < source.length; index += 1) {
    const char = source[index]!;
    if (char === '\\') {
      if (/[1-9k]/.test(source[index + 1] ?? '')) return true;
      index += 1;
    } else if (char === '[') {
      while (index < source.length && source[index] !== ']') index += source[index] === '\\' ? 2 : 1;
    } else if (char === '(') groups.push(false);
    else if (char === ')') {
      const holds = groups.pop() ?? false;
      const repeated = /^([*+]|\{\d+(,\d*)?\})/.test(source.slice(index + 1));
      if (holds && repeated) return true;
      if ((holds || repeated) && groups.length > 0) groups[groups.length - 1] = true;
    } else if (char === '|') {
      if (groups.length > 0) groups[groups.length - 1] = true;
    } else if (char === '*' || char === '+' || /^\{\d+,\d*\}/.test(source.slice(index))) {
      repeats += 1;
      if (groups.length > 0) groups[groups.length - 1] = true;
    }
  }
  return repeats > 6; // each unbounded repetition may multiply the work by the length of the line
}
