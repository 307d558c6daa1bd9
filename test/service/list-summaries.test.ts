// Summaries of lists: how many items they have, who changed them last, and whether the person may change them.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { bearer, type Frontdesk, lastsADay, startWithProvider } from '../support/frontdesk.ts';
import { startWithListPeople, type Who } from '../support/list-people.ts';
import { listKeeping } from '../support/lists.ts';

interface Summary {
  list: string;
  title: string;
  version: number;
  active: number;
  retired: number;
  scheduled: number;
  translations: Record<string, number>;
  updatedBy: string;
  updatedByName: string | null;
  mayKeep: boolean;
}

async function summaryOf(desk: Pick<Frontdesk, 'get'>, token: string, list: string): Promise<Summary | undefined> {
  const response = await desk.get('/admin/lookups', bearer(token));
  expect(response.status).toBe(200);
  return ((await response.json()) as Summary[]).find((each) => each.list === list);
}

const dayFrom = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe('the summary of one list', () => {
  let started: Awaited<ReturnType<typeof startWithProvider>>;
  let replica: Frontdesk;
  beforeAll(async () => {
    started = await startWithProvider();
    replica = await started.startReplica();
  });
  afterAll(async () => {
    await replica.stop();
    await started.desk.stop();
    await started.provider.close();
  });

  test('counts what is active, scheduled, retired and translated, and names who changed it', async () => {
    const { desk } = started;
    const ada = await desk.signIn('E-1001');
    const keeping = listKeeping(desk, ada);
    await keeping.apply('shift', [
      { value: 'EARLY', label: 'Early', labels: { de: 'Früh', fr: 'Matin' } },
      { value: 'LATE', label: 'Late', labels: { de: 'Spät' }, validFrom: dayFrom(0) },
      { value: 'NIGHT', label: 'Night', validFrom: dayFrom(2) },
      { value: 'OLD', label: 'Old', validTo: dayFrom(-1) },
      { value: 'GONE', label: 'Gone', labels: { de: 'Weg', it: 'Via' }, validFrom: dayFrom(9), retired: true },
    ]);
    const expected = {
      version: 1,
      active: 4,
      retired: 1,
      scheduled: 1,
      translations: { de: 2, fr: 1 },
      updatedBy: 'E-1001',
      updatedByName: 'Ada Park',
      mayKeep: true,
    };
    expect(await summaryOf(desk, ada, 'shift')).toMatchObject(expected);
    // A replica that has not heard of the list yet gives the same answer.
    expect(await summaryOf(replica, ada, 'shift')).toMatchObject(expected);
    await keeping.change('PATCH', 'shift', '/items/NIGHT', { validFrom: null, labels: { de: 'Nacht' } });
    const after = { ...expected, version: 2, scheduled: 0, translations: { de: 3, fr: 1 } };
    expect(await summaryOf(replica, ada, 'shift')).toMatchObject(after);
    expect(await summaryOf(desk, ada, 'shift')).toMatchObject(after);
    expect((await summaryOf(desk, ada, 'position'))?.updatedBy).toBe('Frontdesk');
  });
});

describe('for each person', () => {
  let desk: Frontdesk;
  let tokenOf: (who: Who) => string;
  beforeAll(async () => {
    ({ desk, tokenOf } = await startWithListPeople(lastsADay));
  });
  afterAll(() => desk.stop());

  test.each<[Who, string, boolean]>([
    ['admin', 'position', true],
    ['admin', 'list-gone', true],
    ['keeper-a', 'list-a', true],
    ['keeper-a', 'list-gone', true],
    ['planner', 'list-a', false],
    ['planner', 'position', false],
  ])('says whether %s may change %s', async (who, list, mayKeep) => {
    expect((await summaryOf(desk, tokenOf(who), list))?.mayKeep).toBe(mayKeep);
  });

  test('an item is no longer scheduled once its first day has come', async () => {
    const keeping = listKeeping(desk, tokenOf('admin'));
    await keeping.apply('list-a', [{ value: 'TWO', label: 'Two', validFrom: dayFrom(1) }]);
    expect(await summaryOf(desk, tokenOf('admin'), 'list-a')).toMatchObject({ active: 2, scheduled: 1 });
    desk.advance(86_400 - (Math.floor(Date.now() / 1000) % 86_400));
    expect(await summaryOf(desk, tokenOf('admin'), 'list-a')).toMatchObject({ active: 2, scheduled: 0 });
  });
});
