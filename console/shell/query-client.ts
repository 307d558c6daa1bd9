import { QueryClient } from '@tanstack/react-query';
import { FrontdeskError } from '../../client/src/index.ts';

/** No network, too many requests, or a fault of the service: what trying again can help against. */
export const isTemporary = (error: unknown) =>
  error instanceof FrontdeskError && (error.status === 0 || error.status === 429 || error.status >= 500);

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The stream of changes says when something is old.
        staleTime: 60_000,
        gcTime: 300_000,
        retry: (failures, error) => failures < 2 && isTemporary(error),
        // A request that fails says that there is no network; browsers report it wrongly behind some proxies.
        networkMode: 'always',
        // Items that did not change stay the same objects: their rows are not drawn again.
        structuralSharing: true,
      },
      mutations: { networkMode: 'always' },
    },
  });
}
