/** Slots that are walked one by one from the first that was missed. The figure is ours. */
const WALKED = 1_000;

/**
 * The newest slots that passed, oldest first, and how many older ones there are at least. After a long absence the older
 * ones are not walked: a year of minutes would hold the process up.
 *
 * @param next - The first slot after a time.
 * @param most - Slots to keep, 1 or more.
 */
export function missedSlots(
  next: (afterMs: number) => number | undefined,
  firstMs: number,
  { nowMs, most }: { readonly nowMs: number; readonly most: number },
): { readonly slots: readonly number[]; readonly dropped: number } {
  const walked = slotsFrom(firstMs, next, nowMs, Math.max(WALKED, most));
  if (walked.isAll) return { slots: walked.slots.slice(-most), dropped: Math.max(0, walked.slots.length - most) };
  for (let spanMs = most * 1_000; ; spanMs *= 2) {
    const fromMs = Math.max(firstMs - 1, nowMs - spanMs);
    const { slots } = slotsFrom(next(fromMs), next, nowMs, Number.POSITIVE_INFINITY);
    if (slots.length < most && fromMs >= firstMs) continue;
    const kept = slots.slice(-most);
    return { slots: kept, dropped: walked.slots.filter((slot) => slot < kept[0]!).length };
  }
}

function slotsFrom(
  firstMs: number | undefined,
  next: (afterMs: number) => number | undefined,
  untilMs: number,
  most: number,
): { readonly slots: readonly number[]; readonly isAll: boolean } {
  const slots: number[] = [];
  let slot = firstMs;
  for (; slot !== undefined && slot <= untilMs && slots.length < most; slot = next(slot)) slots.push(slot);
  return { slots, isAll: slot === undefined || slot > untilMs };
}
