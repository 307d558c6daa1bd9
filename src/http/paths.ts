// Which declared path a URL's path matches, and the methods there.
import type { Route } from './route.ts';

export interface Path {
  /** As the routers write it: `/employee/:list` for `/employee/{list}`. */
  pattern: string;
  routes: readonly Route[];
  /** For `Allow`. */
  methods: readonly string[];
}

/** Those without parameters first: `/admin/lookups/plan` is not the list called plan. */
export function pathsOf(routes: readonly Route[]): Path[] {
  return [...Map.groupBy(routes, ({ path }) => path)]
    .toSorted(([a], [b]) => parametersIn(a) - parametersIn(b))
    .map(([path, there]) => ({ pattern: routerPath(path), routes: there, methods: methodsOf(there) }));
}

export function findPath(paths: readonly Path[], address: string): Path | undefined {
  return paths.find(({ pattern }) => isMatch(pattern.split('/'), address.split('/')));
}

function isMatch(pattern: readonly string[], address: readonly string[]): boolean {
  return (
    pattern.length === address.length &&
    pattern.every((part, index) => (part.startsWith(':') ? address[index] !== '' : part === address[index]))
  );
}

function parametersIn(path: string): number {
  return path.split('{').length - 1;
}

export function routerPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function methodsOf(routes: readonly Route[]): string[] {
  return routes.flatMap(({ method, actsOnGet }) => (method === 'GET' && !actsOnGet ? ['GET', 'HEAD'] : [method]));
}
