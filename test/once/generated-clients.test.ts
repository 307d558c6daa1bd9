// Third-party generators make clients from the contract. These clients compile, and programs written with them work.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';

let desk: Frontdesk;
let token: string;
let folder: string;
beforeAll(async () => {
  desk = await startFrontdesk();
  token = await desk.signIn('E-1001');
  // The folder is inside the repository, so that generated code finds its runtime in node_modules.
  mkdirSync('test/output', { recursive: true });
  folder = mkdtempSync(join(process.cwd(), 'test/output/generated-'));
  writeFileSync(join(folder, 'openapi.json'), await (await desk.get('/openapi.json')).text());
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await desk.stop();
});

async function run(...command: string[]): Promise<string> {
  const child = Bun.spawn(command, { cwd: folder, stdout: 'pipe', stderr: 'pipe' });
  const [printed, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const exitCode = await child.exited;
  expect({ command, exitCode, errors, printed: exitCode === 0 ? '' : printed }).toEqual({
    command,
    exitCode: 0,
    errors: '',
    printed: '',
  });
  return printed;
}

const bin = (name: string) => join(process.cwd(), 'node_modules/.bin', name);

/** Compiles the programs with everything they import, as strictly as possible. */
async function compile(files: string[]): Promise<void> {
  const compilerOptions = {
    strict: true,
    module: 'ESNext',
    moduleResolution: 'bundler',
    target: 'ESNext',
    lib: ['ESNext', 'DOM', 'DOM.Iterable'],
    types: [],
    noEmit: true,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  expect(await run(bin('tsc'), '-p', folder)).toBe('');
}

/** What both programs must find: a person, a list, a new list with an item that is changed, and a conflict. */
async function expectDone(printed: unknown, list: string): Promise<void> {
  const positions = (await (await desk.get('/employee/position', bearer(token))).json()) as unknown[];
  expect(printed).toEqual({
    user: 'E-1001',
    positions: positions.length,
    known: ['active', 'unknown'],
    tags: [[]],
    codes: 1,
    version: 3,
    label: 'Second',
    retired: 'retired',
    conflict: { list, version: 4, changed: [4, 3, 2] },
    missing: 404,
  });
  const kept = await (await desk.get(`/admin/lookups/${list}`, bearer(token))).json();
  expect(kept).toMatchObject({ version: 4, items: [{ value: 'A', label: 'Second', status: 'retired' }] });
}

const withOazapfts = () => `import * as desk from './oazapfts-client';
import type { ItemState, VersionConflict } from './oazapfts-client';

desk.defaults.baseUrl = '${desk.url}';
desk.defaults.headers = { Authorization: 'Bearer ${token}' };
const expected = <T extends { status: number }, S extends T['status']>(answer: T, status: S) => {
  if (answer.status !== status) throw new Error(\`\${answer.status}\`);
  return answer as Extract<T, { status: S }>;
};

const user = expected(await desk.getCurrentUser(), 200).data.sub;
const positions = expected(await desk.listPositions(), 200).data.length;
const judged = expected(await desk.validateValues({ position: ['ACCOUNTANT'], 'employee-level': ['X'] }), 200).data;
const selected = expected(await desk.listItems('position', { fields: ['codes', 'tags'], q: 'acc', limit: 1 }), 200).data;
const tags: string[][] = selected.map((item) => item.tags ?? []);
const codes: (string | undefined)[] = selected.map((item) => item.codes?.workday);
await desk.createList({ list: 'by-oazapfts', title: 'Made by oazapfts' });
await desk.addItem('by-oazapfts', '"1"', { value: 'A', label: 'First' });
const changed = expected(await desk.changeItem('by-oazapfts', 'A', '"2"', { label: 'Second' }), 200).data;
const retired = expected(await desk.retireItem('by-oazapfts', 'A', '"3"'), 200).data;
const { list, version, changes }: VersionConflict = expected(
  await desk.orderItems('by-oazapfts', '"1"', { values: ['A'] }),
  412,
).data;
const after = changes[0]?.changes[0]?.after as ItemState;
const missing = (await desk.listItems('nowhere')).status;
const known = judged.results.map(({ status }) => status);
const conflict = { list, version, changed: changes.map((each) => each.version) };
const summary = { user, positions, known, tags, codes: codes.length, version: changed.version, label: after.label };
console.log(JSON.stringify({ ...summary, retired: retired.items[0]?.status, conflict, missing }));
`;

const withCodegen =
  () => `import { ApiError, KeepingListsService, ListsService, OpenAPI, SignInService } from './codegen-client';
import type { ItemState, VersionConflict } from './codegen-client';

OpenAPI.BASE = '${desk.url}';
OpenAPI.TOKEN = '${token}';
const refused = async (call: Promise<unknown>): Promise<ApiError> => {
  const error = await call.then(() => undefined, (reason: unknown) => reason);
  if (error instanceof ApiError) return error;
  throw new Error('it was not refused');
};

const { sub: user } = await SignInService.getCurrentUser();
const positions = (await ListsService.listPositions()).length;
const judged = await ListsService.validateValues({ position: ['ACCOUNTANT'], 'employee-level': ['X'] });
const selected = await ListsService.listItems('position', undefined, undefined, ['codes', 'tags'], undefined, undefined, undefined, 'acc', 1);
const tags: string[][] = selected.map((item) => item.tags ?? []);
const codes: (string | undefined)[] = selected.map((item) => item.codes?.workday);
await KeepingListsService.createList({ list: 'by-codegen', title: 'Made by openapi-typescript-codegen' });
await KeepingListsService.addItem('by-codegen', '"1"', { value: 'A', label: 'First' });
const changed = await KeepingListsService.changeItem('by-codegen', 'A', '"2"', { label: 'Second' });
const retired = await KeepingListsService.retireItem('by-codegen', 'A', '"3"');
const outdated = await refused(KeepingListsService.orderItems('by-codegen', '"1"', { values: ['A'] }));
const { list, version, changes } = outdated.body as VersionConflict;
const after = changes[0]?.changes[0]?.after as ItemState;
const missing = (await refused(ListsService.listItems('nowhere'))).status;
const known = judged.results.map(({ status }) => status);
const conflict = { list, version, changed: changes.map((each) => each.version) };
const summary = { user, positions, known, tags, codes: codes.length, version: changed.version, label: after.label };
console.log(JSON.stringify({ ...summary, retired: retired.items[0]?.status, conflict, missing }));
`;

test('clients generated by oazapfts and by openapi-typescript-codegen compile and work', async () => {
  await run(bin('oazapfts'), 'openapi.json', 'oazapfts-client.ts');
  await run(bin('openapi'), '--input', 'openapi.json', '--output', 'codegen-client', '--client', 'fetch');
  const programs = { 'by-oazapfts': withOazapfts(), 'by-codegen': withCodegen() };
  for (const [list, program] of Object.entries(programs)) writeFileSync(join(folder, `${list}.ts`), program);
  await compile(Object.keys(programs).map((list) => `${list}.ts`));
  for (const list of Object.keys(programs))
    await expectDone(JSON.parse(await run(process.execPath, '--no-env-file', join(folder, `${list}.ts`))), list);
});
