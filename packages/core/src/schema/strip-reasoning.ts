import { findReasoningMarks } from '../reasoning-marks.js';

/**
 * Takes a model's thinking aloud out of its reply. Pairs go with what is between them; everything up to a lone closing
 * tag was thinking; a lone opening tag means that the rest was.
 */
export function stripReasoning(text: string): string {
  let kept = '';
  let from = 0;
  let depth = 0;
  for (const { kind, start, end } of findReasoningMarks(text)) {
    if (depth === 0) kept += text.slice(from, start);
    if (kind === 'open') depth += 1;
    else if (kind === 'answer' || depth === 0) {
      kept = '';
      depth = 0;
    } else depth -= 1;
    from = end;
  }
  return depth === 0 ? kept + text.slice(from) : kept;
}
