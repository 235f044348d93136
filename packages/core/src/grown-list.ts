/**
 * A list that never changes and is cheap to add to: what is made by adding shares the items of the list before, so that
 * a talk of 10,000 messages is not copied for each further one.
 */
export class GrownList<T> {
  readonly #items: T[];
  readonly #length: number;
  #array: readonly T[] | undefined;

  private constructor(items: T[]) {
    this.#items = items;
    this.#length = items.length;
  }

  /** Copies the items. */
  static of<T>(items: readonly T[]): GrownList<T> {
    return new GrownList([...items]);
  }

  /** This list and more behind it. */
  add(more: readonly T[]): GrownList<T> {
    // Where another list was made of this one already, the place behind it is taken.
    const items = this.#items.length === this.#length ? this.#items : this.#items.slice(0, this.#length);
    for (const item of more) items.push(item);
    return new GrownList(items);
  }

  /** The items as an array, the same one each time. */
  get array(): readonly T[] {
    this.#array ??= this.#items.slice(0, this.#length);
    return this.#array;
  }
}
