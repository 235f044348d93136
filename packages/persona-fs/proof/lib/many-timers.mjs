/** A virtual clock for very many timers: a binary heap, and one pause for promises after all timers of one moment. */
export function createManyTimers(startMs) {
  let nowMs = startMs;
  let heap = [];
  let order = 0;
  const before = (a, b) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
  const push = (timer) => {
    let at = heap.push(timer) - 1;
    for (let up = (at - 1) >> 1; at > 0 && before(heap[at], heap[up]); up = (at - 1) >> 1) {
      [heap[at], heap[up]] = [heap[up], heap[at]];
      at = up;
    }
  };
  const pop = () => {
    const [first] = heap;
    const last = heap.pop();
    if (heap.length > 0) {
      heap[0] = last;
      for (let at = 0; ; ) {
        let least = at;
        for (const child of [2 * at + 1, 2 * at + 2]) if (child < heap.length && before(heap[child], heap[least])) least = child;
        if (least === at) break;
        [heap[at], heap[least]] = [heap[least], heap[at]];
        at = least;
      }
    }
    return first;
  };
  const settle = async () => {
    for (let lap = 0; lap < 3; lap += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    now: () => nowMs,
    setTimeout(fn, ms) {
      const timer = { fn, atMs: nowMs + Math.max(0, ms), order: order++ };
      push(timer);
      return () => {
        timer.fn = undefined;
      };
    },
    /** Everything that was waited for is forgotten, as when a process is killed. */
    crash() {
      heap = [];
    },
    async advanceTo(targetMs) {
      await settle();
      while (heap.length > 0 && heap[0].atMs <= targetMs) {
        nowMs = Math.max(nowMs, heap[0].atMs);
        while (heap.length > 0 && heap[0].atMs <= nowMs) pop().fn?.();
        await settle();
      }
      nowMs = Math.max(nowMs, targetMs);
    },
  };
}
