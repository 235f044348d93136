/** What a support conversation is about, and what is needed to go on. */
export interface SupportTopic {
  readonly name: string;
  /** Words that show it, lower case. */
  readonly cues: RegExp;
  /** What the person wants, to be named back: “about …”. */
  readonly matter: string;
  readonly needs: readonly Detail[];
  /** What happens once everything is there. */
  readonly next: string;
  /** A rule or reason worth saying. */
  readonly background: string;
}

/** Something a support agent asks for. */
export type Detail = 'name' | 'e-mail address' | 'order number' | 'date of purchase' | 'reason' | 'telephone number';

/** The whole of its knowledge about support; our own words. */
export const SUPPORT_TOPICS: readonly SupportTopic[] = [
  {
    name: 'escalation',
    cues: /\b(?:manager|supervisor|escalate|complain|complaint|real person|human|nicely|exception|special case)\b/,
    matter: 'speaking with somebody who can decide more than I can',
    needs: ['telephone number'],
    next: 'hand this to a manager, who calls you back',
    background: 'A manager can make exceptions that the usual rules do not allow.',
  },
  {
    name: 'return',
    cues: /\b(?:returns?|send (?:it |this |them )?back|wrong size|wrong item|exchange|does ?n['’]?t fit)\b/,
    matter: 'your return',
    needs: ['name', 'order number', 'date of purchase', 'reason'],
    next: 'check the purchase against the return period and send you a label',
    background: 'Returns depend on when the purchase was made.',
  },
  {
    name: 'refund',
    cues: /\b(?:refund|refunded|money back|reimburse)/,
    matter: 'your refund',
    needs: ['name', 'order number', 'e-mail address'],
    next: 'look up where the refund stands',
    background: 'A refund goes back the way it was paid, and the bank may need some days of its own.',
  },
  {
    name: 'delivery',
    cues: /\b(?:deliver\w*|shipping|shipment|shipped|package|parcel|tracking|where is my order|hasn['’]?t arrived|arrive)\b/,
    matter: 'your delivery',
    needs: ['order number', 'name'],
    next: 'look up the last scan of your parcel',
    background: 'The last scan tells whether it is on its way or needs a search.',
  },
  {
    name: 'payment',
    cues: /\b(?:charged|charge|billing|bill|invoice|payment|credit card|subscription|fee|double)\b/,
    matter: 'the charge on your account',
    needs: ['name', 'e-mail address', 'date of purchase'],
    next: 'compare the charge with your orders',
    background: 'Two charges of one amount are often a reservation that falls away by itself.',
  },
  {
    name: 'access',
    cues: /\b(?:password|log ?in|locked out|two-factor|2fa|verification code|pin number|username)\b/,
    matter: 'getting back into your account',
    needs: ['e-mail address'],
    next: 'send a link with which you set a new password',
    background: 'The link works once and only for a short time.',
  },
  {
    name: 'cancellation',
    cues: /\b(?:cancel|cancellation|unsubscribe)\b/,
    matter: 'your cancellation',
    needs: ['order number', 'reason'],
    next: 'stop it before it leaves the house, if it has not yet',
    background: 'What has left already counts as a return.',
  },
  {
    name: 'product',
    cues: /\b(?:broken|defect\w*|damaged|stopped working|not working|doesn['’]?t work|size|colou?r|material|price|discount|promo\w*|coupon|membership)\b/,
    matter: 'the article',
    needs: ['order number', 'reason'],
    next: 'find out what is possible for it',
    background: 'A photograph or the exact name of the article helps.',
  },
];

/** The details that a text gives. */
export function detailsIn(text: string): ReadonlySet<Detail> {
  const found = new Set<Detail>();
  if (/[\w.+-]+@[\w-]+\.[a-z]{2,}/i.test(text)) found.add('e-mail address');
  if (/\(?\d{3}\)?[ -]\d{3}[ -]\d{4}/.test(text)) found.add('telephone number');
  else if (/\b(?:order|id|number|#)\D{0,12}\d{4,}|^\s*\d{6,}\s*$/im.test(text)) found.add('order number');
  if (
    /\b(?:my name is|i am called|this is)\s+\p{Lu}|^\s*(?:customer|mr|mrs|ms)\.? \p{Lu}|^\s*\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}*\.?\s*$/imu.test(
      text,
    )
  )
    found.add('name');
  if (
    /\b(?:january|february|march|april|may|june|july|august|september|october|november|december|yesterday|today|last (?:week|month|year)|\d+ (?:days?|weeks?|months?) ago|\d{1,2}[/.-]\d{1,2}(?:[/.-]\d{2,4})?)\b/i.test(
      text,
    )
  ) {
    found.add('date of purchase');
  }
  if (
    /\b(?:because|wrong|broken|damaged|too (?:small|big|large|late|expensive)|changed my mind|doesn['’]?t|didn['’]?t|not working|by mistake)\b/i.test(
      text,
    )
  )
    found.add('reason');
  return found;
}
