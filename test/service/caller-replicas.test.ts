// Programs that use several replicas of one database: an assertion works only once across all replicas, and a program's
// removal takes effect on all of them.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { decodeJwt } from 'jose';
import type { DevelopmentProvider } from '../../src/dev/development-provider.ts';
import {
  addCaller,
  addOwnKeyCaller,
  keyFile,
  makeSigner,
  ownClaims,
  requestToken,
  runCallers,
  tokenFrom,
} from '../support/callers.ts';
import { bearer, type Frontdesk, startFrontdesk, startWithProvider } from '../support/frontdesk.ts';
import { expectProblem } from '../support/problem.ts';
import { until } from '../support/waiting.ts';

let desk: Frontdesk;
let replicas: Frontdesk[];
let provider: DevelopmentProvider;
beforeAll(async () => {
  const started = await startWithProvider();
  ({ desk, provider } = started);
  replicas = [desk, await started.startReplica(), await started.startReplica()];
});
afterAll(async () => {
  for (const replica of replicas.toReversed()) await replica.stop();
  await provider.close();
});

const statusesOf = (token: string) =>
  Promise.all(replicas.map(async (replica) => (await replica.get('/employee/position', bearer(token))).status));

test("an assertion signed with the program's own key works once, even if sent to all replicas at the same moment", async () => {
  const signer = await makeSigner();
  await addOwnKeyCaller(desk, 'payroll', signer, undefined, replicas);
  for (let round = 0; round < 3; round++) {
    const assertion = await signer.sign(ownClaims('payroll', desk.url));
    const sent = Array.from({ length: 21 }, (_, index) => requestToken(replicas[index % 3] ?? desk, assertion));
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(20);
  }
});

test('a token from one replica works on all, right after the program was registered', async () => {
  const signer = await makeSigner();
  await addCaller(desk, 'new-one', '--key', keyFile(desk, signer.publicJwk));
  let token = '';
  await until(async () => {
    const response = await requestToken(desk, await signer.sign(ownClaims('new-one', desk.url)));
    if (response.status === 200) token = await tokenFrom(response);
    return token !== '';
  });
  expect(await statusesOf(token)).toEqual([200, 200, 200]);
});

test('the tokens of a removed program are refused by all, even after its name is registered again', async () => {
  const signer = await makeSigner();
  const renew = await addOwnKeyCaller(desk, 'pipeline', signer, 'LOOKUP_ADMIN', replicas);
  const old = await renew();
  expect(await statusesOf(old)).toEqual([200, 200, 200]);
  const watching = await replicas[1]?.get('/lookups/changes', bearer(old));
  expect(await runCallers(desk, 'remove', 'pipeline')).toMatchObject({ exitCode: 0 });
  await until(async () => (await statusesOf(old)).every((status) => status === 401));
  await expectProblem(await desk.get('/admin/lookups', bearer(old)), 'invalid-token', 401);
  const gone = await requestToken(desk, await signer.sign(ownClaims('pipeline', desk.url)));
  expect(gone.status).toBe(400);

  const token = await (await addOwnKeyCaller(desk, 'pipeline', signer, 'LOOKUP_ADMIN', replicas))();
  expect(await statusesOf(token)).toEqual([200, 200, 200]);
  expect(await statusesOf(old)).toEqual([401, 401, 401]);
  expect(decodeJwt(token).sid).not.toBe(decodeJwt(old).sid);

  // The next change to a list ends the program's open stream.
  const change = { lists: { position: { items: [{ value: 'ACCOUNTANT', label: 'Bookkeeper' }] } } };
  const headers = { ...bearer(token), 'content-type': 'application/json' };
  const applied = await fetch(`${desk.url}/admin/lookups/apply`, {
    method: 'POST',
    headers,
    body: JSON.stringify(change),
  });
  expect(applied.status).toBe(200);
  expect(await watching?.text()).not.toContain('position');
});

test('a replica that has not heard of a removal issues no more tokens', async () => {
  const signer = await makeSigner();
  await addOwnKeyCaller(desk, 'brief', signer, undefined, replicas);
  // Removed directly in the database, so that no replica has been notified yet.
  await desk.database.query(`update caller set removed_at = '${new Date().toISOString()}' where name = 'brief'`);
  const refused = await requestToken(desk, await signer.sign(ownClaims('brief', desk.url)));
  expect([refused.status, await refused.json()]).toEqual([
    400,
    expect.objectContaining({ code: 'assertion-rejected' }),
  ]);
});

test('while removals cannot be read, no token is accepted for longer than STALE_LIMIT_SECONDS', async () => {
  const other = await startFrontdesk({ STALE_LIMIT_SECONDS: '1' });
  const renew = await addOwnKeyCaller(other, 'payroll', await makeSigner());
  const [token, person] = [await renew(), await other.signIn('E-1003')];
  await other.database.query('alter table caller rename to caller_elsewhere');
  await other.database.query("update revision set number = number + 1 where topic = 'callers'");
  await until(async () => (await other.get('/employee/position', bearer(token))).status === 503);
  await expectProblem(await other.get('/employee/position', bearer(token)), 'storage-unavailable', 503);
  expect((await other.get('/employee/position', bearer(person))).status).toBe(503);
  await other.database.query('alter table caller_elsewhere rename to caller');
  await until(async () => (await other.get('/employee/position', bearer(token))).status === 200);
  await other.stop();
});
