/** Characters of the private use area that stand for what was masked; the tokeniser makes each a token of its own. */
export const MASKS = { code: '\ue000', url: '\ue001', quote: '\ue002', log: '\ue003', name: '\ue004' } as const;

/** A line that a machine wrote: a log line, a stack frame, a compiler message, a test result, a prompt, a diff header. */
const MACHINE_LINE = new RegExp(
  [
    String.raw`\s*at (?:async |new )?[\w$.<>/\[\] ]+ ?\(.*:\d+`,
    String.raw`\s*at \S+:\d+:\d+`,
    String.raw`\s*File ".*", line \d+`,
    String.raw`\s*(?:Traceback \(most recent|Caused by: |\.\.\. \d+ more|During handling of the above)`,
    String.raw`\s*[\[(]?\d{4}[-/]\d\d[-/]\d\d[T ,]+\d\d:\d\d`,
    String.raw`\s*[\[(]?\d\d:\d\d:\d\d[\]).,\s]`,
    String.raw`\s*\[(?:FATAL|ERROR|ERR|WARN|WARNING|INFO|DEBUG|TRACE|CRITICAL|SEVERE)\]`,
    String.raw`\s*(?:FATAL|ERROR|ERR|WARN|WARNING|INFO|DEBUG|TRACE|CRITICAL|SEVERE)(?::| +\[| +\S+[.:]| in \S*[./]\S)`,
    String.raw`\s*(?:\w+: )?(?:[Ff]atal|[Ee]rror|[Ww]arning|[Pp]anic)(?:\[\w+\]| [A-Z]+\d+)?:\s`,
    String.raw`\s*(?:Uncaught )?[\w.$]*[a-z](?:Error|Exception|Fault|Panic|Warning)(?: \[\w+\])?:`,
    String.raw`\s*(?:Uncaught|Unhandled) \w*(?:Error|Exception|[Rr]ejection)`,
    String.raw`\s*thread '.*' panicked`,
    String.raw`\s*(?:npm|pnpm|yarn) (?:ERR|WARN|error|warn)`,
    String.raw`\s*(?:FAILED|FAIL|PASS|PASSED|not ok|ok) \S*[./:]\S`,
    String.raw`\s*(?:Segmentation fault|Process finished with exit code|Command failed|make: \*\*\*|core dumped)`,
    String.raw`\s*exit(?:ed with)? (?:code|status) \d`,
    String.raw`\s*E\s{2,}\S`,
    String.raw`\$ \S`,
    String.raw`(?:diff --git |@@ |\+\+\+ \S|--- [ab/])`,
    String.raw`\s*(?:note|help): (?:run|consider|see|expected) `,
  ]
    .map((pattern) => `^${pattern}`)
    .join('|'),
);
/** A line of code: it ends or begins as only code does. */
const CODE_LINE =
  /[;{}]\s*$|^\s*(?:import|export|const|let|var|def|class|function|return|public|private|#include|SELECT|INSERT|DELETE FROM|UPDATE)\b.*[=({;*]/;
const QUOTED_LINE = /^\s*>+(?:\s|\p{L}|$)/u;
const REPLY_HEADER =
  /^\s*(?:On|Am|Le|El|Il|Op|Em) .{4,160}\b(?:wrote|schrieb\b.{0,60}|a écrit|escribió|ha scritto|schreef\b.{0,60}|escreveu)\s*:\s*$/;
/** Where a mail program put somebody else's message: all that follows is theirs. */
const FORWARDED =
  /^\s*(?:-{3,} ?(?:Forwarded|Original|Weitergeleitete|Ursprüngliche|Message|Mensaje|Messaggio|Doorgestuurd|Mensagem)\b[^\n]{0,40}-{3,}|Begin forwarded message:|Anfang der weitergeleiteten Nachricht:)\s*$/i;
/** The head of a mail that was pasted in; it counts when a second such line follows. */
const MAIL_FIELD =
  /^\s*(?:From|Sent|To|Subject|Date|Von|Gesendet|An|Betreff|Datum|De|Envoyé|Objet|Enviado|Para|Asunto|Da|Inviato|Oggetto|Van|Verzonden|Aan|Onderwerp|Assunto): \S/;
/** A task whose text is not the writer's own voice: what follows the colon is material. */
const MATERIAL = new RegExp(
  [
    String.raw`^(\s*(?:(?:please|can you|could you|would you) )*(?:`,
    String.raw`(?:translate|proofread|rephrase|paraphrase|summari[sz]e|correct|rewrite|classify|übersetze?|traduce|traduis|traduci|traduza|vertaal)\b[^:\n]{0,80}`,
    // Of the words of who reads, and of what waits for an answer, the writer speaks in their own voice.
    String.raw`|(?:(?:reply|respond|answer)\b(?! (?:to )?my\b)|`,
    String.raw`(?:analy[sz]e|evaluate|review|check|edit|shorten|polish|grade|rate|label|improve)\b)(?![^:\n]{0,40}\byour\b)[^:\n]{0,40}`,
    String.raw`\b(?:reviews?|e-?mails?|messages?|comments?|tweets?|posts?|feedback|complaints?|tickets?|texts?|paragraphs?|letters?|sentences?)`,
    String.raw`|(?:请|帮我)*(?:翻译|总结|润色|改写)[^:\n]{0,40}`,
    String.raw`)):\s*\S[\s\S]*$`,
  ].join(''),
  'i',
);
/** A task about a topic: the topic is no feeling. */
const TOPIC =
  /^(\s*(?:(?:please|can you|could you|would you) )*(?:write|draft|compose|summari[sz]e|outline|generate|research)\b)(?: me)? (?:an?|the|some|this|my)\b[^.!?:\n]{0,80}?\b(?:about|on|regarding|concerning|titled|called)\b[^.!?\n]{1,200}/i;

/**
 * Takes out of a normalised text what is not the writer's own voice: code, logs, stack frames, quotes, addresses.
 * Each masked span leaves one character of {@link MASKS}. Linear in the length of the text.
 */
export function maskText(text: string): string {
  let rest = text;
  if (rest.includes('`')) rest = rest.replace(/```[^`]*(?:`{1,2}[^`]+)*(?:```|$)|`[^`\n]+`/g, ` ${MASKS.code} `);
  if (rest.includes('://') || rest.includes('www.')) rest = rest.replace(/(?:\b[a-z]{2,8}:\/\/|\bwww\.)[^\s<>"]+/gi, ` ${MASKS.url} `);
  if (rest.includes('<')) rest = rest.replace(/<\/?[a-zA-Z!][^<>\n]{0,200}>/g, ' ');
  if (rest.includes(':')) rest = rest.replace(MATERIAL, `$1: ${MASKS.quote}`);
  rest = rest.replace(TOPIC, `$1 ${MASKS.quote}`);
  rest = rest.includes('\n') ? maskLines(rest) : MACHINE_LINE.test(rest) ? MASKS.log : rest;
  if (rest.includes('"') || rest.includes("'")) rest = maskQuotes(rest);
  return rest;
}

function maskLines(text: string): string {
  const lines = text.split('\n');
  const theirs = lines.findIndex(
    (line, index) => FORWARDED.test(line) || (MAIL_FIELD.test(line) && MAIL_FIELD.test(lines[index + 1] ?? '')),
  );
  const own = theirs < 0 ? lines : lines.slice(0, theirs);
  const kept = own.map((line) => {
    if (QUOTED_LINE.test(line) || REPLY_HEADER.test(line)) return MASKS.quote;
    if (MACHINE_LINE.test(line)) return MASKS.log;
    return CODE_LINE.test(line) ? MASKS.code : line;
  });
  return theirs < 0 ? kept.join('\n') : [...kept, MASKS.quote].join('\n');
}

const QUOTE = 34;
const APOSTROPHE = 39;
const LONGEST_QUOTE = 1000;

/** Masks `"…"` and `'…'` of at most {@link LONGEST_QUOTE} characters, unless hardly anything stands outside of them. */
function maskQuotes(text: string): string {
  const { length } = text;
  const pieces: string[] = [];
  let from = 0;
  let masked = 0;
  let unclosed = 0;
  for (let open = 0; open < length; open += 1) {
    const mark = text.charCodeAt(open);
    if ((mark !== QUOTE && mark !== APOSTROPHE) || (mark === APOSTROPHE && open < unclosed)) continue;
    if (open > 0 && !isGap(text.charCodeAt(open - 1))) continue;
    if (open + 1 >= length || isGap(text.charCodeAt(open + 1))) continue;
    const close = closing(text, length, open, mark);
    if (close === -1) {
      unclosed = open + LONGEST_QUOTE;
      continue;
    }
    pieces.push(text.slice(from, open), MASKS.quote);
    masked += close - open + 1;
    from = close + 1;
    open = close;
  }
  if (masked === 0 || length - masked < 8) return text;
  pieces.push(text.slice(from));
  return pieces.join(' ');
}

function closing(text: string, length: number, open: number, mark: number): number {
  const end = Math.min(length, open + LONGEST_QUOTE);
  for (let at = open + 2; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10 && mark === APOSTROPHE) return -1;
    if (code !== mark) continue;
    if (at + 1 === length || !isWordCode(text.charCodeAt(at + 1))) return at;
  }
  return -1;
}

function isGap(code: number): boolean {
  return code <= 32 || code === 40 || code === 91 || code === 44 || code === 58 || code === 61 || code === 45 || code >= 0x3000;
}

function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || (code >= 0xc0 && code < 0x250);
}
