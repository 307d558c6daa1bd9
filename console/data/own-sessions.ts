// The sessions of the person who is signed in.
import type { Frontdesk, OwnSession } from '../../client/src/index.ts';

export type OwnSessions = ReturnType<typeof createOwnSessions>;

export function createOwnSessions(request: Frontdesk['request']) {
  return {
    list: async () => (await request('/auth/sessions')).json() as Promise<OwnSession[]>,
    end: async (id: string) => void (await request(`/auth/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' })),
  };
}
