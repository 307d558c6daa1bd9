// The sessions of the person who is signed in.
import type { Frontdesk } from '../../client/src/index.ts';
import type { OwnSession } from '../../src/auth/auth.schema.ts';

export type { OwnSession };
export type OwnSessions = ReturnType<typeof createOwnSessions>;

export function createOwnSessions(request: Frontdesk['request']) {
  return {
    list: async () => (await request('/auth/sessions')).json() as Promise<OwnSession[]>,
    end: async (id: string) => void (await request(`/auth/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' })),
  };
}
