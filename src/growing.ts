// Options of lru-cache for memories that are mostly far from full. With `max` it takes the room for all entries at once:
// three megabytes for those we have.
export const growingTo = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
