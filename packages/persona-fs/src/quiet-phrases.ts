/*
 * Plain English ways to say that there is nothing, each a whole clause. Closed on purpose: what is not in here is heard.
 */

import { once } from './once.js';

const NOUN =
  'news|updates?|changes?|activity|tasks?|items?|issues?|problems?|errors?|warnings?|failures?|reminders?|alerts?|events?|messages?|notifications?|e-?mails?|mail|entries|appointments?|meetings?|deadlines?|follow-?ups?|to-?dos?';
const PLACE =
  'list|checklist|task list|heartbeat(?: checklist| tasks?| file| list)?|inbox|calendar|schedule|mail|e-?mails?|files?|logs?|notes?|memory|reminders?|tasks?|items?';
const SUBJECT =
  "(?:(?:there(?: is| are|'s| was| were) |i (?:have|found|find|see|saw) |we have |it has |found )(?:still |currently |also )?|(?:still|currently|also) )?";
const NOTHING = `(?:nothing|(?:no|zero)(?: (?:new|urgent|pending|open|due|outstanding|important|further|other|active|upcoming|unread|recent|additional|immediate|overdue|scheduled|planned|calendar|inbox|actionable))* (?:${NOUN})(?: (?:or|and|nor)(?: new| urgent| calendar)* (?:${NOUN}))*|nothing (?:new|urgent|important|pending|due|else|special|noteworthy|actionable))`;
const NOW =
  'now|today|tonight|yet|here|so far|either|either way|at (?:this|the) (?:time|moment|point|heartbeat|beat|check)|right now|(?:in|for|over) the (?:next|last|past)(?: few)?(?: \\d{1,3})? ?(?:h|hrs?|hours?|mins?|minutes?)|for (?:now|today|tonight|you|me|this (?:heartbeat|beat|check|hour))|this (?:time|hour|beat|heartbeat|morning|afternoon|evening)|since (?:the |my |our )?last (?:check|beat|heartbeat|time|one)|(?:on|in|from|at|with) (?:the|my|your|this) (?:end|side|plate)|(?:on|in|from|at) (?:(?:the|my|your|this) )?(?:' +
  `${PLACE})`;
const TAIL = [
  'new|urgent|due|found|detected|available|remaining|left|reported|identified|pending|outstanding|scheduled|planned|listed|of note|of interest|overdue',
  '(?:is|are) (?:new|urgent|due|pending|open|scheduled|planned|overdue|needed|outstanding)',
  'to (?:report|do|perform|complete|address|attend to|take care of|review|execute|add|note|tidy|share|say|see|mention|flag|handle|process|act on|follow up on)(?: here)?',
  '(?:that )?(?:needs?|requires?|requiring|needing|calls? for) (?:doing|(?:your |my |any |immediate )?attention|tidying|(?:any )?action)',
  '(?:has |have )?changed',
  NOW,
].join('|');
const STATE =
  'quiet|fine|good|ok(?:ay)?|clear|well|calm|normal|nominal|in order|up to date|under control|as expected|on track|stable|operational|running (?:smoothly|normally|fine|well)|green|caught up';

/** Says that there is nothing; one such clause makes a reply without the token silent. */
const quiet = once(
  () =>
    new RegExp(
      `^(?:(?:so|and|well|then) )*(?:${[
        `${SUBJECT}${NOTHING}(?: (?:${TAIL}))*`,
        `(?:everything|all(?: systems?| tasks?| checks?| items?)?|(?:the )?(?:list|checklist|inbox|status|system|systems))(?: is| are|'s| looks?| seems?| remains?)?(?: all| still)? (?:${STATE})(?: (?:${NOW}))*`,
        `(?:the |my |your )?(?:${PLACE})(?: is| are)?(?: currently| still| all)? (?:empty|clear|quiet)`,
        `(?:the |my |your )?(?:${PLACE}) (?:has|have|holds?|contains?|shows?|lists?) (?:currently |still )?${NOTHING}(?: (?:${TAIL}))*`,
        '(?:all|the) checks (?:have )?passed',
        '(?:status )?ok(?:ay)?',
        'none|n a|nothing stands out',
        `no (?:further |immediate )?(?:action|attention|reply|message|response|notification|report|alert|update|follow-?up)s?(?: is| are| was)? (?:needed|required|necessary|taken)(?: (?:${NOW}))*`,
      ].join('|')})$`,
      'i',
    ),
);

/** Goes with what says that there is nothing, and says nothing itself. */
const filler = once(
  () =>
    new RegExp(
      `^(?:(?:so|and|then) )*(?:${[
        'ok(?:ay)?|done|all done|checked|thanks|thank you|understood|noted|acknowledged|hello|hi|hey|good (?:morning|afternoon|evening|night)',
        '(?:my |the )?(?:final )?(?:reply|status|answer|response|result|output|message|text)(?: is)?|assistant|final|ai|bot',
        '(?:heartbeat|beat|check|checks|(?:heartbeat|routine|system|status|health) check)(?: is)?(?: complete[d]?| done| finished| ran| received| acknowledged)?|quiet hours',
        `(?:i |i have |i've |i just |we )?(?:just )?(?:checked|reviewed|read|scanned|inspected|went (?:through|over)|looked (?:at|through|over|into)) (?:all |the |my |your |every |of |over |entire |whole |current |\\d+ )*(?:${PLACE}|everything|systems?)(?: (?:and|or) (?:the |my |your )?(?:${PLACE}))*(?: again| now| just now)?`,
        "(?:i will |i'll |i am |i'm )?(?:now )?(?:stay|staying|remain|remaining|keep|keeping|be|being) (?:quiet|silent)(?: (?:now|for now))?",
        "(?:i will |i'll )?(?:check|look) (?:again|back)(?: (?:later|soon|next time|at the next (?:heartbeat|beat)))?",
        "(?:it is|it's) (?:late|early|night|night time|quiet hours|outside (?:active|working|office) hours)(?: now| here| at night)?",
        '(?:standing|stand) by|going (?:back to sleep|idle)',
      ].join('|')})$`,
      'i',
    ),
);

/** True for a clause that says that there is nothing. */
export const isQuietClause = (clause: string): boolean => quiet().test(clause);

/** True for a clause that may stand beside the token, or beside one that says that there is nothing. */
export const isStockClause = (clause: string): boolean => quiet().test(clause) || filler().test(clause);

// Signs of content; a sign that is in none of them may be an alarm.
const CALM_SIGNS: ReadonlySet<string> = new Set('👍👌✅✔☑🙂😊😀😌😴💤🌙☀🌞☕🟢💚🙏👋🫡✨🎉🤖💓💗❤'.match(/./gu));

/** True when a text holds a pictograph that may be meant as an alarm. */
export const holdsSign = (text: string): boolean => (text.match(/\p{Extended_Pictographic}/gu) ?? []).some((sign) => !CALM_SIGNS.has(sign));

const ALARM =
  /\b(?:alerts?|alarms?|warnings?|urgent(?:ly)?|emergency|critical|danger(?:ous)?|errors?|fail(?:s|ed|ing|ure|ures)?|crash(?:ed|es|ing)?|broken?|down|offline|outages?|unreachable|unresponsive|(?:not|n't|stopped|no longer) (?:\w+ )?(?:responding|working|running|answering|answered|sending)|full|overdue|expire[sd]?|expiring|ends? (?:today|tomorrow|soon)|leak(?:s|ed|ing)?|fire|smoke|flood(?:ed|ing)?|stolen|breach(?:ed)?|hacked|attack(?:s|ed)?|lost|missing|missed|late|remind(?:er)?|immediately|at once|asap|action (?:is )?(?:needed|required)|attention|must|exceed(?:s|ed)?|too (?:high|low|hot|cold)|corrupt(?:ed)?|blocked|stuck|still on)\b/i;

/** True for a clause with a word that tells of trouble or of something due, and that does not deny it. */
export const soundsAlarm = (clause: string): boolean =>
  ALARM.test(
    clause.replace(
      /\b(?:no|any|without|zero|not? one|free of)(?: \w+){0,2} (?:alerts?|alarms?|warnings?|errors?|failures?|emergency|reminders?|outages?)\b/gi,
      '',
    ),
  );
