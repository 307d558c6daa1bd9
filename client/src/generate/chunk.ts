export function chunk<T>(all: readonly T[], size: number): T[][] {
  const count = Math.ceil(all.length / size);
  return Array.from({ length: count }, (_, index) => all.slice(index * size, (index + 1) * size));
}
