// A memory for what every request asks: a Map that does not grow without end.

/**
 * Keeps the values asked for last: as many as it is told at least, and twice that at most. In two generations: when the
 * younger one is full it becomes the older one, and what nobody has asked for since then is let go with it.
 */
export class RecentMap<V extends object> {
  readonly #generationSize: number;
  #younger = new Map<string, V>();
  #older = new Map<string, V>();

  constructor(generationSize: number) {
    this.#generationSize = generationSize;
  }

  get(key: string): V | undefined {
    return this.#younger.get(key) ?? this.#bringBack(key);
  }

  #bringBack(key: string): V | undefined {
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
