// A map of limited size, for values that are looked up in every request.

/**
 * Keeps the most recently used values: at least `generationSize` of them, and at most twice as many. Each value counts as
 * one, or as its size. When the younger generation is full, it becomes the older one. The previous older one is dropped, with
 * all values that have not been used in the meantime.
 */
export class RecentMap<V extends object | string> {
  readonly #generationSize: number;
  readonly #sizeOf: (value: V) => number;
  #younger = new Map<string, V>();
  #youngerSize = 0;
  #older = new Map<string, V>();

  constructor(generationSize: number, sizeOf: (value: V) => number = () => 1) {
    this.#generationSize = generationSize;
    this.#sizeOf = sizeOf;
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
    if (this.#youngerSize >= this.#generationSize && !this.#younger.has(key)) {
      this.#older = this.#younger;
      this.#younger = new Map();
      this.#youngerSize = 0;
    }
    this.#forgetYounger(key);
    this.#younger.set(key, value);
    this.#youngerSize += this.#sizeOf(value);
  }

  delete(key: string): void {
    this.#forgetYounger(key);
    this.#older.delete(key);
  }

  clear(): void {
    this.#younger.clear();
    this.#older.clear();
    this.#youngerSize = 0;
  }

  #forgetYounger(key: string): void {
    const value = this.#younger.get(key);
    if (value === undefined) return;
    this.#younger.delete(key);
    this.#youngerSize -= this.#sizeOf(value);
  }
}
