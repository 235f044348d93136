/** How far a zone's clocks are ahead of UTC at a time, in milliseconds; making the function costs far more than using it. */
export function offsetIn(timeZone: string): (atMs: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  });
  return (atMs) => {
    const seconds = Math.floor(atMs / 1_000) * 1_000;
    const part = new Map(format.formatToParts(seconds).map(({ type, value }) => [type, Number(value)]));
    const field = (type: Intl.DateTimeFormatPartTypes): number => part.get(type) ?? 0;
    return Date.UTC(field('year'), field('month') - 1, field('day'), field('hour'), field('minute'), field('second')) - seconds;
  };
}
