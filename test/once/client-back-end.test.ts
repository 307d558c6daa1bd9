// The client in a back end that signs assertions with its own key, against a real Frontdesk. client-package.test.ts
// runs the program in the README with the installed package.
import { expect, test } from 'bun:test';
import { createFrontdesk, FrontdeskError } from '../../client/src/index.ts';
import { addOwnKeyCaller, makeSigner, ownClaims, runCallers } from '../support/callers.ts';
import { startFrontdesk } from '../support/frontdesk.ts';
import { shared } from '../support/shared.ts';
import { until } from '../support/waiting.ts';

const desk = shared(startFrontdesk);

test('after the program is removed, calls fail with the code of the refusal, and they work once it is registered again', async () => {
  const signer = await makeSigner();
  await addOwnKeyCaller(desk, 'reports', signer);
  const client = createFrontdesk({ baseUrl: desk.url, assertion: () => signer.sign(ownClaims('reports', desk.url)) });
  expect((await client.lookup('position')).length).toBe(24);
  await runCallers(desk, 'remove', 'reports');
  const failure = async () =>
    client.lookup('position').then(
      () => undefined,
      (error: unknown) => error,
    );
  await until(async () => (await failure()) !== undefined);
  const error = await failure();
  if (!(error instanceof FrontdeskError)) throw new Error('it was not refused');
  expect([error.code, error.status]).toEqual(['assertion-rejected', 400]);
  await addOwnKeyCaller(desk, 'reports', signer);
  expect((await client.lookup('position')).length).toBe(24);
});

test('a program receives changes, and cannot ask who is signed in', async () => {
  const signer = await makeSigner();
  await addOwnKeyCaller(desk, 'listener', signer, 'LOOKUP_ADMIN');
  const client = createFrontdesk({ baseUrl: desk.url, assertion: () => signer.sign(ownClaims('listener', desk.url)) });
  const leaving = new AbortController();
  const connected = Promise.withResolvers<void>();
  const changes = client.changes({ signal: leaving.signal, onState: () => connected.resolve() });
  const next = changes.next();
  await connected.promise;
  const headers = { 'content-type': 'application/json', 'if-match': '"1"' };
  const body = JSON.stringify({ label: 'Leads' });
  await client.request('/admin/lookups/employee-level/items/LEAD', { method: 'PATCH', headers, body });
  expect((await next).value).toMatchObject({ list: 'employee-level', version: 2 });
  leaving.abort();
  expect((await changes.next()).done).toBe(true);
  expect(await client.me().catch(({ code, status }: FrontdeskError) => [code, status])).toEqual(['not-a-person', 403]);
});
