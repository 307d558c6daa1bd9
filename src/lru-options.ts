// How lru-cache is used where every request asks it.

/** For memories that are mostly far from full: with `max` it would take the room for all entries at once. */
export const growingTo = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });

/** Given to each look-up, which would make an object for its options otherwise. */
export const noOptions = {};
