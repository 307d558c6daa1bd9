// People sign in while lists are changed.
import { beforeAll, expect, test } from 'bun:test';
import { Client } from 'pg';
import { engine } from '../support/database.ts';
import { bearer, startFrontdesk } from '../support/frontdesk.ts';
import { type ListKeeping, listKeeping } from '../support/lists.ts';
import { shared } from '../support/shared.ts';
import { until, withoutStall } from '../support/waiting.ts';

// The smallest pool that is allowed.
const desk = shared(() => startFrontdesk({ DATABASE_POOL_SIZE: '3' }));
let keeping: ListKeeping;
beforeAll(async () => {
  keeping = listKeeping(desk, await desk.signIn('E-1001'));
});

if (engine === 'postgres') {
  test('people sign in and out while several list changes wait for each other', async () => {
    const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    // Changes wait for at most three seconds.
    const endedEarly = await withoutStall(2500, async () => {
      // Holds the lock that another replica would hold while it changes a list.
      const other = new Client(desk.database.url);
      await other.connect();
      await other.query("begin; update revision set number = number where topic = 'lists'");
      const { version } = await keeping.read('employee-level');
      let answered = 0;
      const changes = Array.from({ length: 6 }, async (_, index) => {
        await keeping.send('PATCH', '/employee-level/items/LEAD', { label: `Change ${index}` }, version);
        answered++;
      });
      await until(async () => answered > 0 || (await desk.database.query(waiting)).length > 0);
      const mine = await desk.signIn('E-1003');
      expect((await desk.get('/auth/me', bearer(mine))).status).toBe(200);
      const logout = await fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: bearer(mine) });
      expect(logout.status).toBe(204);
      const ended = answered;
      await other.query('rollback');
      await other.end();
      await Promise.all(changes);
      return ended;
    });
    expect(endedEarly).toBe(0);
    const { version } = await keeping.read('employee-level');
    expect((await keeping.send('PATCH', '/employee-level/items/LEAD', { label: 'Chief' }, version)).status).toBe(200);
  });
} else {
  test('people sign in while another process writes a large change', async () => {
    // A sign-in waits for at most five seconds.
    const status = await withoutStall(4000, async () => {
      const unlock = await desk.database.lock();
      const signingIn = desk.signIn('E-1003');
      // The lock is held for longer than writing 50,000 items takes.
      await Bun.sleep(1500);
      await unlock();
      return (await desk.get('/auth/me', bearer(await signingIn))).status;
    });
    expect(status).toBe(200);
  });
}
