import { FUNCTION_WORDS } from '../lexicon/function-words.js';
import { once } from '../once.js';

/** Words that the language detector needs but that carry content. */
const CONTENT: ReadonlySet<string> = new Set(
  'thanks thank good right stop work works working use make want need like know think look see gracias merci danke grazie obrigado bedankt tack'.split(
    ' ',
  ),
);
const english: () => ReadonlySet<string> = /* @__PURE__ */ once(() => listOf('en'));

/** The words of a language that say nothing of what a text is about; empty for an unknown language. */
export function stopWords(language: string): ReadonlySet<string> {
  const base = language.toLowerCase().split('-')[0] ?? 'en';
  return base === 'en' ? english() : listOf(base);
}

function listOf(language: string): ReadonlySet<string> {
  return new Set((FUNCTION_WORDS[language] ?? '').split(' ').filter((word) => word !== '' && !CONTENT.has(word)));
}
