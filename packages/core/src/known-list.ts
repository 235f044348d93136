/**
 * A list of objects that are compared by identity with a newer list, turn after turn.
 *
 * It keeps them eight to an object. V8 notes the shape of what a field holds, and where that is one shape it compares
 * pointers without a look at the objects; of what stands in an array it knows nothing and reads the head of each. For
 * 5,000 messages of one shape that is half of the time (Node 20), for mixed ones it makes no difference.
 */
export class KnownList<T extends object> {
  readonly #eights: Eight<T>[] = [];
  /** Fewer than eight. */
  #rest: T[] = [];

  get length(): number {
    return this.#eights.length * 8 + this.#rest.length;
  }

  push(item: T): void {
    this.#rest.push(item);
    if (this.#rest.length < 8) return;
    this.#eights.push(new Eight(this.#rest));
    this.#rest = [];
  }

  pop(): T | undefined {
    if (this.#rest.length === 0) this.#rest = this.#eights.pop()?.items() ?? [];
    return this.#rest.pop();
  }

  at(index: number): T | undefined {
    const eight = this.#eights[index >> 3];
    return eight === undefined ? this.#rest[index - this.#eights.length * 8] : eight.items()[index & 7];
  }

  /** How many items this list and `other` share, from `from` on and from the start of `other`. */
  commonLength(other: readonly T[], from = 0): number {
    let same = from === 0 ? this.#commonEights(other) : 0;
    while (same < other.length && from + same < this.length && this.at(from + same) === other[same]) same += 1;
    return same;
  }

  #commonEights(other: readonly T[]): number {
    const eights = this.#eights;
    const most = Math.min(eights.length, other.length >> 3);
    let same = 0;
    for (let index = 0; index < most; index += 1, same += 8) {
      const { a, b, c, d, e, f, g, h } = eights[index]!;
      if (a !== other[same] || b !== other[same + 1] || c !== other[same + 2] || d !== other[same + 3]) break;
      if (e !== other[same + 4] || f !== other[same + 5] || g !== other[same + 6] || h !== other[same + 7]) break;
    }
    return same;
  }
}

class Eight<T> {
  // Assigned in the constructor and nowhere set before: a first `undefined` would cost the fields their one shape.
  declare readonly a: T;
  declare readonly b: T;
  declare readonly c: T;
  declare readonly d: T;
  declare readonly e: T;
  declare readonly f: T;
  declare readonly g: T;
  declare readonly h: T;

  constructor(items: readonly T[]) {
    [this.a, this.b, this.c, this.d] = items as [T, T, T, T];
    [this.e, this.f, this.g, this.h] = items.slice(4) as [T, T, T, T];
  }

  items(): T[] {
    return [this.a, this.b, this.c, this.d, this.e, this.f, this.g, this.h];
  }
}
