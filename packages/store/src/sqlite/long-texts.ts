import type { AgentState, Json } from '@x/core';

/** Characters from which on a value's text is remembered: shorter ones are made anew as fast. The figure is ours. */
const LONG = 500;

/**
 * The texts of the long values of a lane. One that a turn puts is written three times: as what was put, in the state, and
 * by the next operation as what stood there before. Its text is made once, for as long as it is the same frozen object.
 */
export interface LongTexts {
  /** The text of a value under a key. */
  of(key: string, value: Json): string;
  /** The same for a value that is put there now; what was remembered under the key goes. */
  put(key: string, value: Json): string;
  /** A state's text in three parts, the middle one a long value that is known, or ''. */
  ofState(state: AgentState): StateText;
}

export type StateText = readonly [start: string, long: string, end: string];

export function createLongTexts(): LongTexts {
  const last = new Map<string, { readonly value: Json; readonly text: string }>();
  const known = (key: string, value: Json | undefined): string | undefined => {
    const found = last.get(key);
    return found?.value === value ? found?.text : undefined;
  };
  return {
    of: (key, value) => known(key, value) ?? JSON.stringify(value),
    put(key, value) {
      const text = known(key, value) ?? JSON.stringify(value);
      if (text.length >= LONG && Object.isFrozen(value)) last.set(key, { value, text });
      else last.delete(key);
      return text;
    },
    ofState(state) {
      let longest: { readonly key: string; readonly text: string } | undefined;
      for (const [key, { text }] of last) {
        if (known(key, state.values[key]) !== undefined && text.length > (longest?.text.length ?? 0)) longest = { key, text };
      }
      if (longest === undefined) return [JSON.stringify(state), '', ''];
      const { key, text } = longest;
      const around = JSON.stringify({ ...state, values: { ...state.values, [key]: HOLE } });
      const at = around.indexOf(HOLE_TEXT);
      // Somebody may have put the very same text somewhere else.
      if (around.indexOf(HOLE_TEXT, at + 1) >= 0) return [JSON.stringify(state), '', ''];
      return [around.slice(0, at), text, around.slice(at + HOLE_TEXT.length)];
    },
  };
}

const HOLE = '\u0000 a long value \u0000';
const HOLE_TEXT = JSON.stringify(HOLE);
