// The typed client against a real Frontdesk: in Bun, and in a page on a different origin in Chromium.
// client-package.test.ts tests it in Node.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildClient } from '../../client/build.ts';
import { createFrontdesk, FrontdeskError, type StreamState } from '../../client/src/index.ts';
import { validateStatuses } from '../../src/lookup/rules/judging.ts';
import { installClock } from '../support/browser-clock.ts';
import { closeContexts, openChromium } from '../support/chromium.ts';
import { type Frontdesk, lastsADay, makeFolder, startFrontdesk } from '../support/frontdesk.ts';
import { freePort } from '../support/ports.ts';
import { root } from '../support/process.ts';
import { longestWaitMs } from '../support/waiting.ts';

let desk: Frontdesk;
/** A page on a different origin, and its script. */
const page =
  '<!doctype html><meta charset="utf-8"><title>Form</title><body></body><script type="module" src="/form.js"></script>';
let script: string;
const server = Bun.serve({
  port: freePort(),
  hostname: 'localhost',
  fetch: ({ url }) =>
    new URL(url).pathname === '/form.js'
      ? new Response(script, { headers: { 'content-type': 'text/javascript' } })
      : new Response(page, { headers: { 'content-type': 'text/html' } }),
});
const app = `http://localhost:${server.port}`;
/** An application that uses the package. */
const folder = makeFolder();
const installed = join(folder, 'node_modules/frontdesk-client');
beforeAll(async () => {
  mkdirSync(installed, { recursive: true });
  copyFileSync(join(root, 'client/package.json'), join(installed, 'package.json'));
  for (const name of ['react', 'react-dom', '@types'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  // Built before the service starts, because the build blocks this process and with it the provider.
  buildClient(join(installed, 'dist'));
  desk = await startFrontdesk({ OIDC_REDIRECT_URIS: `${app}/`, CORS_ORIGINS: app });
});
afterAll(async () => {
  await Promise.all([desk.stop(), server.stop(true)]);
  rmSync(folder, { recursive: true });
});

/** A signed-in client, and the requests it has sent. */
async function signedIn(person = 'E-1001', options: { onSignedOut?: () => void } = {}) {
  const requests: { path: string; status: number }[] = [];
  const client = createFrontdesk({
    baseUrl: `${desk.url}/`,
    accessToken: await desk.signIn(person),
    fetch: (async (url: string, init?: RequestInit) => {
      const response = await fetch(url, init);
      requests.push({ path: url.slice(desk.url.length), status: response.status });
      return response;
    }) as typeof fetch,
    ...options,
  });
  return { client, requests };
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof FrontdeskError ? error.code : String(error)),
  );

describe('in Bun', () => {
  test('the client returns the person and the lists', async () => {
    const { client } = await signedIn('E-1003');
    expect(await client.me()).toMatchObject({ sub: 'E-1003', emailVerified: expect.any(Boolean) });
    expect((await client.lookup('position')).length).toBe(24);
    expect(Object.keys(await client.lookups())).toContain('employee-level');
    const titles = await client.titles({ language: 'de-AT' });
    expect(titles['employment-type']).toEqual({ title: 'Beschäftigungsart', description: null });
    const judged = await client.validate({ position: 'ACCOUNTANT', 'employee-level': ['LEAD', 'NOBODY'] });
    expect(judged.results.map(({ status }) => status)).toEqual(['active', 'active', 'unknown']);
  });

  test('a list is requested with the given options', async () => {
    const { client, requests } = await signedIn();
    const request = (options: Parameters<typeof client.lookup<'position', 'codes' | 'tags'>>[1]) =>
      client.lookup('position', options).then(
        () => decodeURIComponent(requests.at(-1)?.path ?? ''),
        (error: FrontdeskError) => error.errors,
      );
    expect(await request({})).toBe('/employee/position');
    expect(await request({ where: {}, tag: [], include: [], q: undefined, language: 'de' })).toBe('/employee/position');
    expect(await request({ where: { position: undefined, 'employee-level': '' } })).toBe('/employee/position');
    expect(await request({ where: { 'employee-level': ['LEAD', 'MANAGER'], position: 'X' } })).toBe(
      '/employee/position?where=employee-level:LEAD&where=employee-level:MANAGER&where=position:X',
    );
    expect(await request({ tag: 'a', code: { workday: 'A:1 &2' }, q: 'é b', limit: 5, asOf: '2026-01-01' })).toBe(
      '/employee/position?tag=a&code=workday:A:1+&2&q=é+b&limit=5&asOf=2026-01-01',
    );
    expect(await request({ tag: ['a', 'b'], fields: ['codes', 'tags'], include: ['ACCOUNTANT'] })).toBe(
      '/employee/position?tag=a&tag=b&fields=codes&fields=tags&include=ACCOUNTANT',
    );
    expect(await request({ limit: 0 })).toEqual([{ field: 'limit', message: 'must be a whole number from 1 to 1000' }]);
  });

  test('requested fields are present and typed', async () => {
    const { client } = await signedIn();
    const [item] = await client.lookup('position', { fields: ['codes', 'description'], limit: 1 });
    const codes: Record<string, string> | undefined = item?.codes;
    expect([codes, item?.description]).toEqual([{}, null]);
    const [plain] = await client.lookup('position', { limit: 1 });
    expect(Object.keys(plain ?? {})).toEqual(['id', 'label', 'value', 'sortOrder']);
    // @ts-expect-error: not requested.
    expect(plain?.codes).toBeUndefined();
    // @ts-expect-error: not requested, either.
    expect(item?.tags).toBeUndefined();
  });

  test('an unchanged list causes only a 304, and simultaneous callers share one request', async () => {
    const { client, requests } = await signedIn();
    const [first, second] = await Promise.all([client.lookup('position'), client.lookup('position')]);
    expect(second).toBe(first);
    first.pop();
    expect((await client.lookup('position')).length).toBe(24);
    expect(requests.map(({ status }) => status)).toEqual([200, 304]);
    await client.lookup('position', { language: 'de' });
    expect(requests.at(-1)?.status).toBe(200);
  });

  test('a refusal is an error with its code, its fields and the request ID', async () => {
    const { client } = await signedIn('E-1003');
    expect(await codeOf(client.lookup('nothing-of-the-kind'))).toBe('not-found');
    await expect(client.lookup('nope')).rejects.toThrow('There is no list "nope".');
    const error = await client.lookup('position', { asOf: 'tomorrow' }).catch((caught: FrontdeskError) => caught);
    expect(error).toMatchObject({
      code: 'invalid-request',
      status: 400,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      errors: [{ field: 'asOf', message: 'must be one date like 2027-01-31' }],
    });
    const nobody = createFrontdesk({ baseUrl: desk.url });
    expect(await codeOf(nobody.me())).toBe('unauthorized');
    const nowhere = createFrontdesk({ baseUrl: `http://localhost:${freePort()}`, accessToken: 'x' });
    expect(await codeOf(nowhere.lookup('position'))).toBe('network');
  });

  test('an ended session is reported once, however many requests notice', async () => {
    let told = 0;
    const { client } = await signedIn('E-1002', { onSignedOut: () => told++ });
    const other = await signedIn('E-1002');
    await other.client.logout();
    expect([told, client.isSignedIn()]).toEqual([0, true]);
    await client.request('/auth/logout', { method: 'POST' });
    const codes = await Promise.all([1, 2, 3].map(() => codeOf(client.me())));
    expect([codes, told, client.isSignedIn()]).toEqual([Array(3).fill('invalid-token'), 1, false]);
    await client.logout();
    expect(told).toBe(1);
  });

  test('a stream beyond the limit is reported, and the others continue', async () => {
    const { client } = await signedIn();
    const leaving = new AbortController();
    const watch = () => {
      const state = Promise.withResolvers<StreamState>();
      const changes = client.changes({ signal: leaving.signal, onState: state.resolve });
      return { change: changes.next(), state: state.promise };
    };
    const watchers = Array.from({ length: 10 }, watch);
    const states = await Promise.all(watchers.map(({ state }) => state));
    expect(states).toEqual(Array(10).fill({ isConnected: true }));
    const late = watch();
    const refused = await late.state;
    if (refused.isConnected || refused.error === undefined) throw new Error('it was not refused');
    expect(refused.error.code).toBe('rate-limited');
    expect(refused.retryInMs).toBeGreaterThan((refused.error.retryAfter ?? Number.NaN) * 1000);
    await client.request('/admin/lookups/position/items/ACCOUNTANT', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'if-match': '"1"' },
      body: JSON.stringify({ label: 'Bookkeeper' }),
    });
    const heard = await Promise.all(watchers.map(({ change }) => change));
    expect(heard.map(({ value }) => value?.list)).toEqual(Array(10).fill('position'));
    leaving.abort();
    expect((await late.change).done).toBe(true);
  });

  test('changes arrive as they happen, even after the connection broke', async () => {
    const { client } = await signedIn();
    const leaving = new AbortController();
    const connected = Promise.withResolvers<void>();
    const onState = ({ isConnected }: StreamState) => isConnected && connected.resolve();
    const changes = client.changes({ signal: leaving.signal, onState });
    const write = async (version: number, label: string) => {
      const headers = { 'content-type': 'application/json', 'if-match': `"${version}"` };
      const body = JSON.stringify({ label });
      await client.request('/admin/lookups/employee-level/items/LEAD', { method: 'PATCH', headers, body });
    };
    const first = changes.next();
    await connected.promise;
    await write(1, 'One');
    expect((await first).value).toEqual({ list: 'employee-level', version: 2, id: expect.any(Number) });
    const next = changes.next();
    desk = await desk.restart();
    await write(2, 'Two');
    expect((await next).value).toEqual({ list: 'employee-level', version: 3, id: expect.any(Number) });
    leaving.abort();
    expect((await changes.next()).done).toBe(true);
  });
});

test('a client is notified when a date changes a list, although the version stays', async () => {
  const own = await startFrontdesk(lastsADay);
  const watching = Promise.withResolvers<void>();
  const client = createFrontdesk({
    baseUrl: own.url,
    accessToken: await own.signIn(),
    fetch: (async (url: string, init?: RequestInit) => {
      const response = await fetch(url, init);
      if (url.endsWith('/lookups/changes')) watching.resolve();
      return response;
    }) as typeof fetch,
  });
  const now = Date.now();
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  const [today, tomorrow] = [dayOf(now), dayOf(now + 86_400_000)];
  const changes = client.changes();
  const next = changes.next();
  await watching.promise;
  const headers = { 'content-type': 'application/json', 'if-match': '"1"' };
  const body = JSON.stringify({ validTo: today });
  await client.request('/admin/lookups/employee-level/items/LEAD', { method: 'PATCH', headers, body });
  const written = (await next).value;
  const values = async () => (await client.lookup('employee-level')).map(({ value }) => value);
  const before = await values();

  const coming = changes.next();
  own.advance((Date.parse(`${tomorrow}T00:00:00Z`) - Date.now()) / 1000 + 1);
  await own.runHousekeeping();
  const turned = (await coming).value;
  const after = await values();
  await changes.return();
  await own.stop();
  expect(written).toEqual({ list: 'employee-level', version: 2, id: expect.any(Number) });
  expect(turned).toEqual({ list: 'employee-level', version: 2, day: tomorrow, id: expect.any(Number) });
  // Forms compare IDs to know whether to request the list again.
  expect(turned?.id).toBeGreaterThan(written?.id ?? Number.POSITIVE_INFINITY);
  expect([before.includes('LEAD'), after.includes('LEAD')]).toEqual([true, false]);
});

test('the client is small, and has no dependencies', () => {
  const minified = Bun.spawnSync([process.execPath, 'build', join(installed, 'dist/index.js'), '--minify']);
  const script = minified.stdout.toString();
  expect([minified.exitCode, Bun.gzipSync(script).length < 7 * 1024]).toEqual([0, true]);
  expect(script).not.toMatch(/\bimport\b/);
  const { dependencies } = JSON.parse(readFileSync(join(root, 'client/package.json'), 'utf8')) as {
    dependencies?: object;
  };
  expect(dependencies).toBeUndefined();
});

describe('the first example of its README', () => {
  const readme = readFileSync(join(root, 'client/README.md'), 'utf8');
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';

  /** Compiles the example for this service, and opens it in a new tab at a deep link. */
  async function open(baseUrl: string) {
    writeFileSync(join(folder, 'first.ts'), code.replace('https://desk.example.com', baseUrl));
    const options = {
      strict: true,
      module: 'Preserve',
      target: 'ES2022',
      noEmit: true,
      types: [],
      lib: ['ES2023', 'DOM'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['first.ts'] }));
    const checked = Bun.spawnSync([join(root, 'node_modules/.bin/tsc'), '-p', folder]);
    expect([checked.exitCode, checked.stdout.toString()]).toEqual([0, '']);
    const bundle = Bun.spawnSync([process.execPath, 'build', join(folder, 'first.ts'), '--target=browser']);
    expect(bundle.exitCode).toBe(0);
    script = bundle.stdout.toString();
    const context = await (await openChromium()).newContext();
    const tab = await context.newPage();
    tab.setDefaultTimeout(longestWaitMs);
    await tab.goto(`${app}/employees/42?tab=pay#notes`);
    return { tab, context };
  }

  test('is about ten lines, signs in, and returns to the page', async () => {
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(16);
    const { tab, context } = await open(desk.url);
    await tab.getByRole('button', { name: /E-1001/ }).click();
    await tab.getByText('Ada Park can choose from 24 positions.').waitFor();
    expect(tab.url()).toBe(`${app}/employees/42?tab=pay#notes`);
    await context.close();
  });

  test('says that the origin is not in CORS_ORIGINS', async () => {
    const own = await startFrontdesk({ OIDC_REDIRECT_URIS: `${app}/` });
    const { tab, context } = await open(own.url);
    await tab.getByText(`${own.url} is running`).waitFor();
    expect(await tab.locator('body').innerText()).toBe(
      `FrontdeskError: No answer: ${own.url} is running, but this page cannot read its answers. ${app} may be missing in CORS_ORIGINS.`,
    );
    await context.close();
    await own.stop();
  });

  test('says that its address is not registered, on a page with a button that works once it is', async () => {
    const own = await startFrontdesk({ CORS_ORIGINS: app });
    const { tab, context } = await open(own.url);
    await tab.getByText('OIDC_REDIRECT_URIS').waitFor();
    expect(await tab.locator('main').innerText()).toContain(`${app}/`);
    const next = await own.restart({ OIDC_REDIRECT_URIS: `${app}/` });
    await tab.getByRole('link', { name: 'Try again' }).click();
    await tab.getByRole('button', { name: /E-1001/ }).click();
    await tab.getByText('Ada Park can choose from 24 positions.').waitFor();
    expect(tab.url()).toBe(`${app}/employees/42?tab=pay#notes`);
    await context.close();
    await next.stop();
  });

  test('says that Frontdesk is down, or that it is connecting while Frontdesk does not answer', async () => {
    const nowhere = `http://localhost:${freePort()}`;
    const down = await open(nowhere);
    await down.tab.getByText('FrontdeskError: No answer: Frontdesk cannot be reached.').waitFor();
    await down.context.close();
    const silent = Bun.listen({ hostname: 'localhost', port: 0, socket: { data() {} } });
    const { tab, context } = await open(`http://localhost:${silent.port}`);
    await tab.getByText('Connecting…').waitFor();
    await context.close();
    silent.stop(true);
  });

  test('says why a sign-in was refused, and a reload begins a new one', async () => {
    const { tab, context } = await open(desk.url);
    await tab.getByRole('button', { name: /E-1001/ }).waitFor();
    await tab.goto(`${app}/?error=access_denied&state=fd1.${'x'.repeat(43)}`);
    await tab.getByText('FrontdeskError: Sign-in denied: The sign-in was denied at the identity provider.').waitFor();
    expect(tab.url()).toBe(`${app}/employees/42?tab=pay#notes`);
    await tab.reload();
    await tab.getByRole('button', { name: /E-1001/ }).waitFor();
    await context.close();
  });
});

test('the form of its README is short, compiles, and survives the end of a session on another origin', async () => {
  const code = /```tsx\n([\s\S]*?)```/.exec(readFileSync(join(root, 'client/README.md'), 'utf8'))?.[1] ?? '';
  expect(code.split('\n').length).toBeLessThan(45);
  writeFileSync(join(folder, 'form.tsx'), code.replace('http://localhost:3000', desk.url));
  // Compiled for a browser: without Node's types, and with the package's declarations checked.
  const options = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    jsx: 'react-jsx',
    module: 'Preserve',
    target: 'ES2022',
    noEmit: true,
    types: [],
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['form.tsx'] }));
  const checked = Bun.spawnSync([join(root, 'node_modules/.bin/tsc'), '-p', folder]);
  expect([checked.exitCode, checked.stdout.toString()]).toEqual([0, '']);
  const bundle = Bun.spawnSync([
    process.execPath,
    'build',
    join(folder, 'form.tsx'),
    '--production',
    '--target=browser',
  ]);
  expect(bundle.exitCode).toBe(0);
  script = bundle.stdout.toString();
  const browser = await openChromium();
  const context = await browser.newContext();
  const pass = await installClock(context);
  const tab = await context.newPage();
  tab.setDefaultTimeout(longestWaitMs);
  let authorization = '';
  tab.on('request', (request) => {
    authorization = request.headers().authorization ?? authorization;
  });
  await tab.goto(`${app}/`);
  await tab.getByRole('button', { name: /E-1003/ }).click();
  await tab.getByText('Filled in by').waitFor();
  expect(tab.url()).toBe(`${app}/`);
  await tab.locator('option[value=ACCOUNTANT]').waitFor({ state: 'attached' });
  await tab.locator('[name=overtime-eligibility] option').nth(4).waitFor({ state: 'attached' });
  await tab.reload();
  await tab.locator('option[value=ACCOUNTANT]').waitFor({ state: 'attached' });
  await tab.getByLabel('Position').selectOption('ACCOUNTANT');
  // The session ends elsewhere; the person comes back after an hour.
  await fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: { authorization } });
  await pass(3600);
  await tab.getByLabel('Employee level').selectOption('LEAD');
  await tab.keyboard.press('Tab');
  await tab.getByText('Your session has ended.').waitFor();
  const [popup] = await Promise.all([
    tab.waitForEvent('popup'),
    tab.getByRole('button', { name: 'Sign in again' }).click(),
  ]);
  popup.setDefaultTimeout(longestWaitMs);
  await popup.getByRole('button', { name: /E-1003/ }).click();
  await tab.getByText('Your session has ended.').waitFor({ state: 'detached' });
  const chosen = ['Position', 'Employee level'].map((label) => tab.getByLabel(label).inputValue());
  expect(await Promise.all(chosen)).toEqual(['ACCOUNTANT', 'LEAD']);
  expect(await tab.getByRole('button', { name: 'Save' }).isEnabled()).toBe(true);
  expect(await tab.evaluate<number>('sessionStorage.length + localStorage.length')).toBe(0);
  await closeContexts(browser);
});

describe('the types', () => {
  const anyOf = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text)).join(' | ');

  test('are those of the OpenAPI document', async () => {
    const { components, paths } = (await (await desk.get('/openapi.json')).json()) as {
      components: { schemas: Record<string, Schema> };
      paths: Record<string, object>;
    };
    const lists = Object.keys(paths).flatMap((path) => /^\/employee\/([a-z-]+)$/.exec(path)?.[1] ?? []);
    const names = ['LookupItem', 'ListTitle', 'CurrentUser', 'LoginResult', 'OwnSession', 'Problem'];
    const contract = Object.entries(components.schemas).map(
      ([name, schema]) => `export type ${name} = ${typeOf(schema)};`,
    );
    contract.push(`export type StandardList = ${anyOf(lists)};`);
    writeFileSync(join(folder, 'contract.ts'), contract.join('\n'));
    const same = [...names, 'StandardList'].map(
      (name) => `export const ${name}: Same<Contract.${name}, Client.${name}> = true;`,
    );
    same.push(
      'type Fields = Required<Omit<Contract.SelectedItem, keyof Contract.LookupItem>>;',
      'export const ItemFields: Same<{ [Name in keyof Fields]: Fields[Name] }, { [Name in keyof Client.ItemFields]: Client.ItemFields[Name] }> = true;',
    );
    // This type is open-ended, because newer services may have more statuses. The client knows those of this version.
    same.push(
      `export const ValidateStatus: Same<${anyOf(validateStatuses)}, Client.ValidateStatus> = true;`,
      `type Outcome = Client.ValidateResult['results'][number];`,
      'type Open = Pick<Outcome, "list" | "value"> & { status: string } & Omit<Outcome, "list" | "value" | "status">;',
      'export const ValidateOutcome: Same<Contract.ValidateOutcome, { [Name in keyof Open]: Open[Name] }> = true;',
      'export const newer: Outcome["status"] = "of a newer service";',
    );
    writeFileSync(
      join(folder, 'check.ts'),
      `import type * as Client from ${JSON.stringify(join(root, 'client/src/types.ts'))};
import type * as Contract from './contract.ts';
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
${same.join('\n')}
`,
    );
    const options = {
      strict: true,
      exactOptionalPropertyTypes: true,
      module: 'Preserve',
      moduleResolution: 'bundler',
      target: 'ESNext',
      allowImportingTsExtensions: true,
      noEmit: true,
      types: [],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['check.ts'] }));
    const { exitCode, stdout } = Bun.spawnSync([join(root, 'node_modules/.bin/tsc'), '-p', folder]);
    expect([exitCode, stdout.toString()]).toEqual([0, '']);
  });
});

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  enum?: string[];
}

/** Returns the TypeScript type for a JSON schema. Supports only what the contract uses here. */
function typeOf({ $ref, type, properties, required = [], additionalProperties, items, enum: choices }: Schema): string {
  if ($ref !== undefined) return $ref.replace('#/components/schemas/', '');
  if (choices !== undefined) return choices.map((choice) => JSON.stringify(choice)).join(' | ');
  if (Array.isArray(type)) return type.map((each) => typeOf({ type: each })).join(' | ');
  if (type === 'array') return `(${typeOf(items ?? {})})[]`;
  if (type === 'integer') return 'number';
  if (type !== 'object') return type ?? 'unknown';
  if (typeof additionalProperties === 'object') return `Record<string, ${typeOf(additionalProperties)}>`;
  const members = Object.entries(properties ?? {}).map(
    ([name, schema]) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  );
  return `{ ${members.join('; ')} }`;
}
