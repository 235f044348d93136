/** Calls that wait for their results. Those without an id, as local models make them, are told apart by number only. */
export class OpenCalls {
  readonly #named = new Set<string>();
  #nameless = 0;

  /** @returns False when a call of this id is open already. */
  add(id: string): boolean {
    if (id === '') this.#nameless += 1;
    else if (this.#named.has(id)) return false;
    else this.#named.add(id);
    return true;
  }

  has(id: string): boolean {
    return id === '' ? this.#nameless > 0 : this.#named.has(id);
  }

  /** @returns False when there was none to close. */
  close(id: string): boolean {
    if (id !== '') return this.#named.delete(id);
    if (this.#nameless === 0) return false;
    this.#nameless -= 1;
    return true;
  }

  get size(): number {
    return this.#named.size + this.#nameless;
  }

  ids(): readonly string[] {
    return [...this.#named, ...new Array<string>(this.#nameless).fill('')];
  }
}
