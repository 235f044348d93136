/** What stands in the place of a summary that was not made; the words of services and of hosts that caught an error. */
const ABSENT = 'unavailable|not available|missing|empty|failed|skipped|aborted|cancell?ed|omitted|timed out';
const NOT_MADE = "(?:could|can) ?not be|(?:was|were) not|couldn[’']t be|can[’']t be";
const MADE = 'generated|created|produced|made|completed|provided|summari[sz]ed';
const REASON = '(?:[^;.\\n]|\\.(?!\\s)){0,80}$';
/** The end of such a sentence: a reason at most, and nothing else that was said. */
const END = `(?:$|[.!,]?\\s(?:after|at|due|because|from|this|error)\\b${REASON}|\\s?[:(–—-]\\s?${REASON})`;

const TALK = '(?:conversation|messages|history|context|chat)(?: history)?';

const PLACEHOLDER = new RegExp(
  [
    '^(?:n/?a|none|nothing|empty|blank|t\\.?b\\.?[da]|todo|placeholder|error|failed|failure|unavailable)$',
    `^(?:there is |there was )?nothing to (?:summari[sz]e|report)${END}`,
    '^the (?:conversation|context|history|transcript) is empty$',
    // What stands in the place of messages that a host took out.
    `^(?:\\d+ )?(?:the )?(?:(?:previous|prior|earlier|older) )?${TALK} (?:(?:was|were|has been|have been) )?(?:summari[sz]ed|omitted|truncated|removed|compacted|compressed|trimmed|cleared|elided)(?: (?:to save|for) (?:context|space|tokens|brevity|length))?$`,
    `^(?:the )?(?:(?:previous|prior|earlier) )?${TALK} (?:was|is) too (?:long|large|short)(?: to (?:be )?summari[sz]ed?| for (?:a|the) (?:summary|model|context window))?$`,
    '^(?:previous|prior|earlier) (?:conversation|chat)(?: history| summary)?$',
    '^(?:要約できません(?:でした)?|无法(?:生成)?(?:总结|摘要)|摘要不可用|keine zusammenfassung (?:verfügbar|möglich)|résumé (?:indisponible|non disponible)|resumen no disponible)$',
    `^(?:there is |there was )?no (?:content|text|output|response|answer|data|result|reply)(?: (?:(?:was |is )?(?:available|provided|generated|found|returned|received)|to summari[sz]e))?(?: at this time)?$`,
    `^(?:there (?:is|was|are|were) )?no (?:(?:prior|previous|earlier) )?(?:conversation|messages?|history|context)(?: history)?(?: (?:available|provided|found|yet|to summari[sz]e))${END}`,
    '^no (?:prior|previous|earlier) (?:conversation|messages?|history|context|summary)(?: history)?$',
    '^the conversation has (?:just|only) (?:begun|started)$',
    '^(?:context|conversation|history|chat) contain(?:ed|s) \\d+ \\w+$',
    // What a host cut instead of summarising it.
    '^(?:\\w{1,12} )?fallback summary(?:[;,] [^;.\\n]{0,60})?$|^truncated (?:from|to|after|at) \\d[^;.\\n]{0,40}$',
    // What was only announced.
    `^(?:now )?(?:generating|creating|preparing|writing) (?:a |the )?summary$|^(?:now )?(?:summari[sz]ing|compacting|compressing)(?: (?:the )?${TALK})?$`,
    `^no summary(?: yet)?(?: (?:is |was |could be )?(?:available|found|returned|received|possible|${MADE}))?${END}`,
    `^(?:(?:the|a|previous|prior|earlier|conversation|context|chat|session|history) ){0,4}(?:summary|summari[sz]ation|compaction)(?: (?:generation|request|call|attempt))?(?: (?:is|was|has|currently|temporarily)){0,2} (?:(?:${ABSENT})|(?:${NOT_MADE}) (?:${MADE}))${END}`,
    `^(?:unable|failed|not able|not possible) to (?:\\w+ ){0,3}summar[iy]\\w*(?: (?:the|this|of|conversation|context|messages|history|chat)){0,4}${END}`,
    `^(?:could ?not|couldn[’']t|cannot|can[’']t) (?:\\w+ ){0,3}summar[iy]\\w*(?: (?:the|this|of|conversation|context|messages|history|chat)){0,4}${END}`,
  ].join('|'),
  'i',
);
const FRAME = /^[\s[({<*_"'`#-]+|[\s\])}>*_"'`.!。…-]+$/g;
const LABEL = /^(?:(?:conversation )?summary)[\s*_]*:[\s*_]*/i;
const TAGS = /<\/?\w{1,30}>/g;

/** True for a text that in each of its sentences says that there is no summary, or that holds no word at all. */
export function isPlaceholder(text: string): boolean {
  return text.split(/(?<=[.!])\s+(?=\p{Lu})/u, SENTENCES + 1).every((sentence, place) => place < SENTENCES && saysNothing(sentence));
}

/** More than so many say something. */
const SENTENCES = 3;

function saysNothing(text: string): boolean {
  const plain = text.replace(TAGS, '').replace(FRAME, '').replace(LABEL, '');
  return !/[\p{L}\p{N}]/u.test(plain) || PLACEHOLDER.test(plain);
}
