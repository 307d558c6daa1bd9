// The client's options for TanStack Query, tested with the real library.
import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import type { LookupItem } from '../../client/src/index.ts';
import { invalidateOnChanges, lookupQuery, lookupsQuery, meQuery, validateQuery } from '../../client/src/query.ts';
import { createTestFrontdesk } from '../../client/src/testing.ts';
import { makeFolder } from '../support/frontdesk.ts';
import { root } from '../support/process.ts';
import { pass, settle } from '../support/scripted-desk.ts';

const lists = {
  position: [
    { value: 'ACCOUNTANT', label: 'Accountant', labels: { de: 'Buchhalterin' } },
    { value: 'CLERK', label: 'Clerk', isRetired: true },
  ],
  'employee-level': [{ value: 'LEAD', label: 'Lead' }],
};

let queryClient = new QueryClient();
beforeEach(() => {
  jest.useFakeTimers();
  queryClient = new QueryClient();
});
afterEach(() => {
  queryClient.clear();
  jest.useRealTimers();
});

/** Observes a query as useQuery does. */
const observe = (options: ReturnType<typeof lookupQuery<string>>) =>
  new QueryObserver<LookupItem[], Error, LookupItem[], LookupItem[], readonly unknown[]>(queryClient, options);

test('each query returns what the client returns', async () => {
  const frontdesk = createTestFrontdesk({ lists });
  const values = { position: 'CLERK' };
  expect(await queryClient.fetchQuery(lookupQuery(frontdesk, 'position'))).toEqual(await frontdesk.lookup('position'));
  expect(await queryClient.fetchQuery(lookupsQuery(frontdesk))).toEqual(await frontdesk.lookups());
  expect(await queryClient.fetchQuery(meQuery(frontdesk))).toEqual(await frontdesk.me());
  expect(await queryClient.fetchQuery(validateQuery(frontdesk, values))).toEqual(await frontdesk.validate(values));
  const include = await queryClient.fetchQuery(lookupQuery(frontdesk, 'position', { include: ['CLERK'] }));
  expect(include.map(({ value }) => value)).toEqual(['ACCOUNTANT', 'CLERK']);
});

test('cancelling a query cancels its request, and no other', async () => {
  const frontdesk = createTestFrontdesk({ lists });
  const { queryFn } = lookupQuery(frontdesk, 'position');
  const cancelling = new AbortController();
  const cancelled = queryFn(cancelling).catch((error: Error) => error.name);
  const other = frontdesk.lookup('position');
  cancelling.abort();
  expect(await cancelled).toBe('AbortError');
  expect((await other).length).toBe(1);
});

test('the previous items are shown until new ones arrive, but not those of a different list', async () => {
  const frontdesk = createTestFrontdesk({ lists });
  const observer = observe(lookupQuery(frontdesk, 'position'));
  const stop = observer.subscribe(() => {});
  await settle();
  const labels = () => observer.getCurrentResult().data?.map(({ label }) => label);
  observer.setOptions(lookupQuery(frontdesk, 'position', { language: 'de' }));
  expect([labels(), observer.getCurrentResult().isPlaceholderData]).toEqual([['Accountant'], true]);
  await settle();
  expect([labels(), observer.getCurrentResult().isPlaceholderData]).toEqual([['Buchhalterin'], false]);
  observer.setOptions(lookupQuery(frontdesk, 'employee-level'));
  expect(labels()).toBeUndefined();
  stop();
});

test('items loaded for another parent, tag or code, or with other fields, are not shown', async () => {
  const frontdesk = createTestFrontdesk({ lists });
  const before = lookupQuery(frontdesk, 'position', { where: { 'employee-level': 'LEAD' }, fields: ['tags'] });
  const options = [
    { where: { 'employee-level': 'LEAD' }, fields: ['tags' as const], q: 'a', limit: 5 },
    { where: { 'employee-level': 'JUNIOR' }, fields: ['tags' as const] },
    { where: { 'employee-level': 'LEAD' } },
    { where: { 'employee-level': 'LEAD' }, fields: ['tags' as const], tag: 'x' },
    { where: { 'employee-level': 'LEAD' }, fields: ['tags' as const], code: { workday: '1' } },
  ];
  const queries = options.map((each) => lookupQuery(frontdesk, 'position', each));
  const items = await before.queryFn({ signal: new AbortController().signal });
  expect(queries.map(({ placeholderData }) => placeholderData(items, before) === items)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
  const keys = [before, ...queries].map(({ queryKey }) => JSON.stringify(queryKey));
  expect(new Set(keys).size).toBe(keys.length);
});

test.each([
  ['network', 4],
  ['storage-unavailable', 4],
  ['not-found', 1],
  ['forbidden', 1],
] as const)('after %s, a list is requested %i times in all', async (code, times) => {
  const frontdesk = createTestFrontdesk({ lists });
  frontdesk.control.fail(code, { times: 10, path: '/employee/' });
  const observer = observe(lookupQuery(frontdesk, 'position'));
  const stop = observer.subscribe(() => {});
  for (let seconds = 0; seconds < 60; seconds++) await pass(1);
  expect(frontdesk.control.requests.length).toBe(times);
  expect(observer.getCurrentResult().error).toMatchObject({ code });
  stop();
});

test('queries are updated after a change, a new sign-in and a renewal', async () => {
  const frontdesk = createTestFrontdesk({ lists });
  const stopFollowing = invalidateOnChanges(frontdesk, queryClient);
  const position = observe(lookupQuery(frontdesk, 'position'));
  const level = observe(lookupQuery(frontdesk, 'employee-level'));
  const where = { position: 'ACCOUNTANT' };
  const dependent = observe(lookupQuery(frontdesk, 'employee-level', { where }));
  const me = new QueryObserver(queryClient, meQuery(frontdesk));
  const stops = [position, level, dependent, me].map((observer) => observer.subscribe(() => {}));
  await settle();
  const asked = (path: string) => frontdesk.control.requests.filter((request) => request.path === path).length;
  const before = asked('/employee/employee-level');
  frontdesk.control.setList('position', [{ value: 'ACCOUNTANT', label: 'Bookkeeper' }]);
  await settle();
  expect(position.getCurrentResult().data?.map(({ label }) => label)).toEqual(['Bookkeeper']);
  expect(asked('/employee/employee-level')).toBe(before);
  // The position may have been replaced, and `where` follows replacements.
  expect(asked('/employee/employee-level?where=position%3AACCOUNTANT')).toBe(2);

  await frontdesk.control.endSession();
  await settle();
  expect(position.getCurrentResult().data?.length).toBe(1);
  frontdesk.control.setList('employee-level', []);
  frontdesk.control.signIn({ roles: ['MANAGER'] });
  await settle();
  expect(level.getCurrentResult().data).toEqual([]);
  expect(me.getCurrentResult().data?.roles).toEqual(['MANAGER']);

  stopFollowing();
  const total = frontdesk.control.requests.length;
  frontdesk.control.setList('position', []);
  await pass(2);
  expect(frontdesk.control.requests.length).toBe(total);
  for (const stop of stops) stop();
});

test('useQuery infers the types of its results', () => {
  const folder = makeFolder();
  const source = (name: string) => JSON.stringify(join(root, 'client/src', name));
  writeFileSync(
    join(folder, 'types.ts'),
    `import { queryOptions, useQueries, useQuery, useSuspenseQuery } from ${JSON.stringify(join(root, 'node_modules/@tanstack/react-query'))};
import type { CurrentUser, Frontdesk, LookupItem } from ${source('index.ts')};
import { lookupQuery, meQuery } from ${source('query.ts')};
declare const frontdesk: Frontdesk;
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const list = useQuery(lookupQuery(frontdesk, 'position'));
export const items: Same<typeof list.data, LookupItem[] | undefined> = true;
const labels = useQuery({ ...lookupQuery(frontdesk, 'position'), select: (all) => all.map(({ label }) => label) });
export const selected: Same<typeof labels.data, string[] | undefined> = true;
const suspended = useSuspenseQuery(lookupQuery(frontdesk, 'position'));
export const certain: Same<typeof suspended.data, LookupItem[]> = true;
const [several] = useQueries({ queries: [lookupQuery(frontdesk, 'position')] });
export const each: Same<typeof several.data, LookupItem[] | undefined> = true;
const wrapped = useQuery(queryOptions(lookupQuery(frontdesk, 'position')));
export const same: Same<typeof wrapped.data, LookupItem[] | undefined> = true;
const withTags = useQuery(lookupQuery(frontdesk, 'position', { where: { country: 'DE' }, fields: ['tags'] }));
export const tags: Same<NonNullable<typeof withTags.data>[number]['tags'], string[]> = true;
const me = useQuery(meQuery(frontdesk));
export const person: Same<typeof me.data, CurrentUser | undefined> = true;
`,
  );
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: 'Preserve',
    moduleResolution: 'bundler',
    target: 'ESNext',
    lib: ['ESNext', 'DOM', 'DOM.Iterable'],
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['types.ts'] }));
  const { exitCode, stdout } = Bun.spawnSync([join(root, 'node_modules/.bin/tsc'), '-p', folder]);
  rmSync(folder, { recursive: true });
  expect([exitCode, stdout.toString()]).toEqual([0, '']);
});
