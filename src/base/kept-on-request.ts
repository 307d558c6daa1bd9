// A cache, limited in bytes, of values that are made on request. Simultaneous requests share one value.
import { RecentMap } from './recent-map.ts';

export class KeptOnRequest<V extends object> {
  readonly #kept: RecentMap<V>;
  readonly #isKept: (value: V) => boolean;
  #making = new Map<string, Promise<V>>();

  /** Keeps at most twice `bytes`, and no single value larger than `bytes`. */
  constructor(bytes: number, sizeOf: (value: V) => number) {
    this.#kept = new RecentMap<V>(bytes, sizeOf);
    this.#isKept = (value) => sizeOf(value) <= bytes;
  }

  getOrMake(key: string, make: () => Promise<V>): V | Promise<V> {
    return this.#kept.get(key) ?? this.#making.get(key) ?? this.#make(key, make);
  }

  #make(key: string, make: () => Promise<V>): Promise<V> {
    const making = make().then(
      (value) => {
        // Not kept after clear(), because it was made from outdated data.
        if (this.#making.get(key) === making && this.#isKept(value)) this.#kept.set(key, value);
        this.#forget(key, making);
        return value;
      },
      (error: unknown) => {
        this.#forget(key, making);
        throw error;
      },
    );
    this.#making.set(key, making);
    return making;
  }

  #forget(key: string, making: Promise<V>): void {
    if (this.#making.get(key) === making) this.#making.delete(key);
  }

  clear(): void {
    this.#kept.clear();
    this.#making.clear();
  }
}
