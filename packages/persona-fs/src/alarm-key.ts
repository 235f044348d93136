import { hashText } from '@x/core';
import { plainReply, STAMP } from './plain-reply.js';

/** An alarm that was told, by {@link alarmKey}. */
export interface ToldAlarm {
  readonly key: string;
  readonly atMs: number;
}

// More than one alarm may stand at a time; beyond a few, the oldest is told again.
const KEPT = 8;

/**
 * Whether an alarm was told within the span, and what is to be remembered once it was told again.
 *
 * @param spanMs - Milliseconds for which an alarm is not told again; 0: each is told.
 */
export function planTelling(
  told: readonly ToldAlarm[] | undefined,
  text: string,
  { nowMs, spanMs }: { readonly nowMs: number; readonly spanMs: number },
): { readonly isRepeat: boolean; readonly told: readonly ToldAlarm[] } {
  // A clock that was set back must not keep an alarm down for longer.
  const recent = (told ?? []).filter(({ atMs }) => atMs <= nowMs && nowMs - atMs < spanMs);
  const key = alarmKey(text);
  if (recent.some((alarm) => alarm.key === key)) return { isRepeat: true, told: recent };
  return { isRepeat: false, told: spanMs > 0 ? [...recent, { key, atMs: nowMs }].slice(-KEPT) : [] };
}

const DURATION = /\b(in[ \t]+)?\d+(?:[.,]\d+)?[ \t-]?(ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?)(?:[ \t]+ago)?\b/gi;

/**
 * What two tellings of one alarm have in common: its words without case, markup and signs, without the time at which
 * it was told, how long it has lasted, and its number in a row. Other numbers count: 80 % and 95 % are two alarms; so does
 * the unit of the time until something happens.
 */
export function alarmKey(text: string): string {
  const words = plainReply(text)
    .replace(new RegExp(STAMP, 'gi'), (stamp: string, at: number, whole: string) =>
      isOfEvent(whole, at) ? stamp.replace(/\D/g, 'h') : ' ',
    )
    // What comes in hours is told again when it comes in minutes.
    .replace(DURATION, (_whole, ahead, unit) => (ahead ? ` in ${String(unit)[0]} ` : ' '))
    .replace(/#\d+|^[ \t]*\(?\d{1,3}[.):](?=[ \t])/gm, ' ');
  return hashText(
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{Extended_Pictographic}%]+/gu, ' ')
      .trim(),
  );
}

/** A time after such a word is when something happens, not when it is told; at the head of a line it is a stamp all the same. */
function isOfEvent(whole: string, at: number): boolean {
  const line = whole.slice(whole.lastIndexOf('\n', at - 1) + 1, at).slice(-40);
  if (/^[^\p{L}\p{N}]*(?:(?:at|on|as of|checked at)[ \t]+)?$/iu.test(line)) return false;
  return /\b(?:at|on|until|till|by|from|to|before|after|for|since|due|starts?|begins?|ends?)[ \t]+$/i.test(line);
}
