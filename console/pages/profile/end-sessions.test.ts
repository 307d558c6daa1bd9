import { expect, test } from 'bun:test';
import { FrontdeskError, type OwnSession } from '../../../client/src/index.ts';
import { endOtherSessions, endSession } from './end-sessions.ts';

const sessionOf = (id: number): OwnSession => ({
  id: String(id),
  current: id === 0,
  openedAt: '2027-01-31T08:00:00Z',
  lastSeenAt: '2027-01-31T08:00:00Z',
  endsAt: '2027-01-31T20:00:00Z',
});

function serve(count: number) {
  let open = Array.from({ length: count }, (_, id) => sessionOf(id));
  return {
    ids: () => open.map(({ id }) => id),
    sessions: async () => open.slice(0, 3),
    endSession: async (id: string) => {
      open = open.filter((session) => session.id !== id);
    },
  };
}

const refuseWith = (status: number) => async () => {
  throw new FrontdeskError({ status, title: 'x', detail: 'x', code: 'x', requestId: '', errors: [] } as never);
};

test('all other sessions end, including those not listed at first, and this one stays', async () => {
  const api = serve(8);
  expect(await endOtherSessions(api)).toBe(7);
  expect(api.ids()).toEqual(['0']);
});

test('a session that has already ended is not a failure, but any other error is', async () => {
  await endSession({ endSession: refuseWith(404) }, '1');
  expect(endSession({ endSession: refuseWith(503) }, '1')).rejects.toBeInstanceOf(FrontdeskError);
});
