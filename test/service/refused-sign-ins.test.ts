// Strangers cannot fill the audit: beyond a limit per minute, their refused sign-ins are only counted, in a single row.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { startHostileProvider } from '../support/hostile-provider.ts';

let desk: Frontdesk;
beforeAll(async () => {
  desk = await startFrontdesk({ TRUST_PROXY: '1', SECRET_KEY: 'a secret for these tests, long enough' });
});
afterAll(() => desk.stop());
beforeEach(() => desk.runHousekeeping());

const refuse = (address: string, query = '') =>
  desk.get(`/auth/login/callback?${query}`, { 'x-forwarded-for': address });

async function refuseTimes(count: number, address: string, query = ''): Promise<void> {
  for (let time = 0; time < count; time++) expect((await refuse(address, query)).status).toBe(400);
}

const rowsOf = async (where: string) =>
  (
    await desk.database.query<{ detail: string }>(
      `select detail from audit where type = 'sign-in-refused' and ${where} order by seq`,
    )
  ).map(({ detail }) => detail);

const tenRows = Array.from({ length: 10 }, () => 'missing-code');

test('ten from one address in a minute have a row each, and the rest share one row with their count', async () => {
  await refuseTimes(15, '192.0.2.1');
  await refuseTimes(3, '192.0.2.1', 'code=');
  await refuseTimes(2, '192.0.2.2');
  expect(await rowsOf("address = '192.0.2.1'")).toEqual(tenRows);
  await desk.runHousekeeping();
  const summary = '8 more within a minute: missing-code 5, invalid-code 3';
  expect(await rowsOf("address = '192.0.2.1'")).toEqual([...tenRows, summary]);
  expect(await rowsOf("address = '192.0.2.2'")).toEqual(['missing-code', 'missing-code']);
});

test('counting starts over each minute, and a minute without refusals beyond the limit adds no row', async () => {
  await refuseTimes(10, '192.0.2.3');
  await desk.runHousekeeping();
  await refuseTimes(10, '192.0.2.3');
  await desk.runHousekeeping();
  expect(await rowsOf("address = '192.0.2.3'")).toEqual([...tenRows, ...tenRows]);
});

test('an IPv6 network with a prefix of 64 bits counts as one address', async () => {
  for (let host = 1; host <= 12; host++) await refuseTimes(1, `2001:db8:0:1::${host}`);
  await desk.runHousekeeping();
  expect(await rowsOf("address like '2001:db8:%'")).toEqual([...tenRows, '2 more within a minute: missing-code 2']);
});

test('beyond a thousand addresses, refusals are counted together', async () => {
  for (let network = 0; network < 1003; network++) {
    await refuseTimes(1, `198.51.${Math.floor(network / 250)}.${network % 250}`);
  }
  await desk.runHousekeeping();
  expect(await rowsOf("address like '198.51.%'")).toHaveLength(1000);
  expect(await rowsOf('address is null')).toEqual(['3 more within a minute: missing-code 3']);
});

test('counts that cannot be written at the end of the minute are written later', async () => {
  await refuseTimes(12, '192.0.2.4');
  const unlock = await desk.database.lock();
  await desk.runHousekeeping();
  await unlock();
  expect(await rowsOf("address = '192.0.2.4'")).toHaveLength(10);
  await refuseTimes(1, '192.0.2.4');
  await desk.runHousekeeping();
  expect((await rowsOf("address = '192.0.2.4'")).slice(10)).toEqual(['3 more within a minute: missing-code 3']);
});

test('no count is lost if the service stops before the minute is over', async () => {
  await refuseTimes(12, '192.0.2.5');
  desk = await desk.restart();
  expect((await rowsOf("address = '192.0.2.5'")).slice(10)).toEqual(['2 more within a minute: missing-code 2']);
});

test('a person whom the provider has identified always has a row', async () => {
  const provider = await startHostileProvider();
  const own = await startFrontdesk({ ...provider.env, EMPLOYEE_ID_CLAIM: 'emp' });
  for (let time = 0; time < 11; time++) await own.get('/auth/login/callback');
  for (const sub of ['alice', 'mallory']) {
    provider.lie = { claims: { sub, emp: 'E-1' }, userinfo: () => Response.json({ sub }) };
    await own.get(`/auth/login/callback?code=${sub}`);
  }
  const rows = await own.database.query(
    "select person from audit where type = 'sign-in-refused' and person is not null",
  );
  await own.stop();
  provider.stop();
  expect(rows).toEqual([{ person: 'E-1' }]);
});
