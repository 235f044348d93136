/** A list of whole numbers that grows without a garbage collector noticing. */
export interface IntList {
  push(value: number): void;
  /** Takes away the numbers at the end that are at least `least`. */
  cut(least: number): void;
  /** What is in it now; good until the next change. */
  values(): Int32Array;
}

export function createIntList(): IntList {
  let data = new Int32Array(64);
  let length = 0;
  return {
    push(value) {
      if (length === data.length) {
        const larger = new Int32Array(length * 2);
        larger.set(data);
        data = larger;
      }
      data[length] = value;
      length += 1;
    },
    cut(least) {
      while (length > 0 && data[length - 1]! >= least) length -= 1;
    },
    values: () => data.subarray(0, length),
  };
}

/** Position of the first entry above `value` in a sorted list. */
export function firstAbove(sorted: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
