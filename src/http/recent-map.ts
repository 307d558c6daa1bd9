// A map of bounded size, for what is looked up in every request.

/**
 * Keeps the values used last: at least `generationSize` of them, at most twice as many. When the younger generation is
 * full it becomes the older one, and the older one is dropped with all values that were not used since.
 */
export class RecentMap<V extends object> {
  readonly #generationSize: number;
  #younger = new Map<string, V>();
  #older = new Map<string, V>();

  constructor(generationSize: number) {
    this.#generationSize = generationSize;
  }

  get(key: string): V | undefined {
    return this.#younger.get(key) ?? this.#promote(key);
  }

  #promote(key: string): V | undefined {
    const value = this.#older.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    if (this.#younger.size >= this.#generationSize && !this.#younger.has(key)) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(key, value);
  }

  delete(key: string): void {
    this.#younger.delete(key);
    this.#older.delete(key);
  }
}
