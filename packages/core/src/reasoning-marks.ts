/** A place in a text where a model's thinking aloud begins or ends. */
export interface ReasoningMark {
  /** `answer` ends all thinking before it: the answer begins here, whatever was open. */
  readonly kind: 'open' | 'close' | 'answer';
  readonly start: number;
  readonly end: number;
  /** True for marks that models are trained on; a prompt may have asked for the others, such as `<analysis>`. */
  readonly isNative: boolean;
}

const NATIVE = '(?:ant_?)?think(?:ing)?|thoughts?|reasoning|(?:internal|inner)_(?:monologue|thoughts?)';
const ASKED = 'analysis|reflection|reason|reasoning_content|thought_process|thinking_process|scratchpad|chain_of_thought';

// Each form: slash, native name, other name. Tags may hold attributes and stray spaces, as streams that were put
// together badly have them. All lengths are bounded, so that no text takes long and a stream knows what to hold back.
const FORMS = new RegExp(
  [
    `<\\s{0,3}(/?)\\s{0,3}(?:\\w{1,12}:)?(?:(${NATIVE})|(${ASKED}))(?:\\s[^<>]{0,200})?>`,
    `<\\|(/|end_(?:of_)?)?(?:(?:begin|start)_(?:of_)?)?(${NATIVE})\\|>`,
    '\\[(/?)(think(?:ing)?)\\]',
    '◁(/?)(think(?:ing)?)▷',
    '<unused9(?:4>thought|(5>))',
    // Gemma 4: a channel without a name may be its thoughts too.
    '<\\|channel>(?:thought)?[ \\t]{0,3}\\n|<(channel)\\|>',
    // Where a message has channels, only the one named final is the answer.
    '(?:<\\|end\\|>)?(?:<\\|start\\|>assistant)?<\\|channel\\|>\\s{0,3}(\\w{1,20})[^<]{0,80}(?:<\\|constrain\\|>[^<]{0,20})?<\\|message\\|>',
  ].join('|'),
  'gi',
);

/** Finds the marks, in the order of the text, also those that only stand in a quote or a string. */
export function* findReasoningMarks(text: string): Generator<ReasoningMark, void> {
  for (const match of text.matchAll(FORMS)) {
    const [whole, tagSlash, , asked, tokenEnd, , bracketSlash, , triangleSlash, , unused, pipe, channel] = match;
    const isClose = Boolean(tagSlash || tokenEnd || bracketSlash || triangleSlash || unused || pipe);
    yield {
      kind: channel?.toLowerCase() === 'final' ? 'answer' : isClose ? 'close' : 'open',
      start: match.index,
      end: match.index + whole.length,
      isNative: asked === undefined,
    };
  }
}
