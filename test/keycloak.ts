// npm test -- keycloak: a real Keycloak with the realm in deploy/, configured as in deploy/compose.yaml, and a real
// browser, to test what docs/identity-providers.md says about Keycloak.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page, Response } from 'playwright-core';
import { closeContexts, openChromium } from './support/chromium.ts';
import { bearer, makeFolder } from './support/frontdesk.ts';
import { type Keycloak, startKeycloak } from './support/keycloak.ts';
import { freePort } from './support/ports.ts';
import { root, runToEnd, spawnFrontdesk, untilReady } from './support/process.ts';
import { until } from './support/waiting.ts';

const port = freePort();
const url = `http://localhost:${port}`;
const folder = makeFolder();
const logFile = join(folder, 'frontdesk.log');
let keycloak: Keycloak;
let browser: Browser;
let desk: Bun.Subprocess | undefined;
let env: Record<string, string>;
/** The environment variables in which the running process differs from `env`. */
let changed: Record<string, string> = {};

interface Client {
  id: string;
  attributes: Record<string, string>;
  protocolMappers: { id: string }[];
}
let imported: Client;
const ada = '/users/5b0c6f0e-6d0a-4c53-9a55-0d6f2f3a1001';
const bruno = '/users/8f4e1f64-92c8-4f0a-b0d1-3f2b6c7d1002';
const chidi = '/users/c1d7a3b2-47e5-4b9e-8a6c-9e0f5d2b1003';

beforeAll(async () => {
  keycloak = await startKeycloak(url);
  process.stdout.write(`Keycloak ${keycloak.version}\n`);
  const { services } = Bun.YAML.parse(readFileSync(join(root, 'deploy/compose.yaml'), 'utf8')) as {
    services: { frontdesk: { environment: Record<string, string> } };
  };
  env = {
    ...services.frontdesk.environment,
    NODE_ENV: 'production',
    PORT: String(port),
    PUBLIC_URL: url,
    DATABASE_URL: `sqlite:${join(folder, 'frontdesk.db')}`,
    OIDC_ISSUER: keycloak.issuer,
  };
  const [client] = await keycloak.admin<Client[]>('GET', '/clients?clientId=frontdesk');
  if (client === undefined) throw new Error('the realm has no client frontdesk');
  // Set explicitly, because an update does not change attributes that it does not name.
  const unset = {
    'require.pushed.authorization.requests': 'false',
    'use.jwks.url': 'false',
    'dpop.bound.access.tokens': 'false',
  };
  imported = { ...client, attributes: { ...client.attributes, ...unset } };
  browser = await openChromium();
  await restart();
});

beforeEach(async () => {
  await setClient({});
  if (Object.keys(changed).length > 0) await restart();
});

afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});

afterAll(async () => {
  await closeContexts(browser);
  await stopDesk();
  await keycloak?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function stopDesk() {
  desk?.kill();
  await desk?.exited;
}

/** Restarts Frontdesk on the same database, with these variables changed. */
async function restart(changes: Record<string, string> = {}) {
  await stopDesk();
  changed = changes;
  desk = spawnFrontdesk([], { ...env, ...changes }, folder, openSync(logFile, 'a'));
  await untilReady(url);
}

/** Resets the client to the settings in the realm file, with these changes. */
const setClient = (settings: object, attributes: Record<string, string> = {}) =>
  keycloak.admin('PUT', `/clients/${imported.id}`, {
    ...imported,
    ...settings,
    attributes: { ...imported.attributes, ...attributes },
  });

interface SignedIn {
  page: Page;
  token: string;
}

/** Signs in with a new browser context, and returns the answer of the callback. */
async function trySignIn(username: string): Promise<{ page: Page; answer: Response }> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${url}/auth/login`);
  const isBack = (response: Response) => response.url().startsWith(`${url}/auth/login/callback`);
  const [answer] = await Promise.all([page.waitForResponse(isBack), fillIn(page, username)]);
  return { page, answer };
}

async function fillIn(page: Page, username: string) {
  await page.fill('#username', username);
  await page.fill('#password', 'password');
  await page.click('#kc-login');
}

async function signIn(username: string): Promise<SignedIn> {
  const { page, answer } = await trySignIn(username);
  expect(answer.status()).toBe(200);
  const { accessToken: token } = (await answer.json()) as { accessToken: string };
  return { page, token };
}

const me = ({ token }: SignedIn) => fetch(`${url}/auth/me`, { headers: bearer(token) });

/**
 * The status is 401 for a session that has ended. There is nothing to wait for, because Keycloak notifies Frontdesk before it
 * answers the sign-out request.
 */
const statusOf = (people: readonly SignedIn[]) => Promise.all(people.map(async (each) => (await me(each)).status));

/** Renews the session, as a page of Frontdesk does. */
const renew = ({ page }: SignedIn) =>
  page.evaluate(async () => {
    const response = await fetch('/auth/renew', { method: 'POST' });
    const { type, accessToken } = (await response.json()) as { type?: string; accessToken?: string };
    return { status: response.status, type, token: accessToken ?? '' };
  });
const ended = { status: 401, type: `${url}/problems/session-ended`, token: '' };

const sessionsAtKeycloak = async (person: string) => {
  const sessions = await keycloak.admin<{ id: string }[]>('GET', `${person}/sessions`);
  return sessions.map(({ id }) => id);
};

describe('a sign-in', () => {
  test('gives employee number, phone number, realm roles and client roles, but not the roles that every account has', async () => {
    const client = `/clients/${imported.id}`;
    await keycloak.admin('POST', `${client}/roles`, { name: 'AUDITOR' });
    const role = await keycloak.admin('GET', `${client}/roles/AUDITOR`);
    await keycloak.admin('POST', `${bruno}/role-mappings${client}`, [role]);
    const given = await keycloak.admin<{ name: string }[]>('GET', `${bruno}/role-mappings/realm/composite`);
    expect(given.map(({ name }) => name)).toContainValues([
      'default-roles-company',
      'offline_access',
      'uma_authorization',
    ]);
    const { roles, ...person } = (await (await me(await signIn('e-1002'))).json()) as { roles: string[] };
    expect(roles.toSorted()).toEqual(['AUDITOR', 'EMPLOYEE', 'MANAGER']);
    expect(person).toMatchObject({ sub: 'e-1002', name: 'Bruno Costa', phoneNumber: '+1 555 0102' });
  });

  test('in the console survives a reload, and signing out there ends it at Keycloak too', async () => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(url);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await fillIn(page, 'e-1001');
    const signOut = page.getByRole('button', { name: 'Sign out', exact: true });
    await signOut.waitFor();
    await page.reload();
    await signOut.waitFor();
    expect(await sessionsAtKeycloak(ada)).toHaveLength(1);
    await signOut.click();
    // Keycloak does not ask for confirmation, because it gets an id_token_hint.
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).origin).toBe(url);
    expect(await sessionsAtKeycloak(ada)).toHaveLength(0);
  });

  test('is refused without the employee number; an attribute that is not declared is dropped', async () => {
    const person = { username: 'e-1004', email: 'dara.lim@company.example', firstName: 'Dara', lastName: 'Lim' };
    const credentials = [{ type: 'password', value: 'password' }];
    const attributes = { employeeNumber: ['e-1004'], phone_number: ['+1 555 0104'] };
    await keycloak.admin('POST', '/users', { ...person, enabled: true, credentials, attributes });
    const [stored] = await keycloak.admin<{ attributes?: object }[]>('GET', '/users?username=e-1004');
    expect(stored).toMatchObject(person);
    expect(stored?.attributes).toBeUndefined();
    const { answer } = await trySignIn('e-1004');
    expect([answer.status(), await answer.text()]).toEqual([403, expect.stringContaining('account-not-permitted')]);
  });
});

describe('a renewal', () => {
  test('brings a role that was granted after the sign-in', async () => {
    const person = await signIn('e-1003');
    const role = await keycloak.admin('GET', '/roles/MANAGER');
    await keycloak.admin('POST', `${chidi}/role-mappings/realm`, [role]);
    const { token } = await renew(person);
    const { roles } = (await (await me({ ...person, token })).json()) as { roles: string[] };
    expect(roles.toSorted()).toEqual(['EMPLOYEE', 'MANAGER']);
  });

  test('ends the session of a disabled person, although Keycloak did not announce it, and is audited', async () => {
    const person = await signIn('e-1003');
    const account = await keycloak.admin<object>('GET', chidi);
    await keycloak.admin('PUT', chidi, { ...account, enabled: false });
    expect(await statusOf([person])).toEqual([200]);
    expect(await renew(person)).toEqual(ended);
    expect(await statusOf([person])).toEqual([401]);
    await keycloak.admin('PUT', chidi, { ...account, enabled: true });
    const { stdout } = await runToEnd(['audit', '--json', '--type', 'session-ended', '--person', 'e-1003'], env);
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      person: 'e-1003',
      detail: 'renewal: the provider refused: invalid_grant',
    });
  });

  test('ends the session after "Sign out all active sessions", although Keycloak did not announce it', async () => {
    const person = await signIn('e-1003');
    await keycloak.admin('POST', '/logout-all');
    expect(await statusOf([person])).toEqual([200]);
    expect(await renew(person)).toEqual(ended);
  });
});

describe('back-channel logout', () => {
  const required = { attributes: { 'backchannel.logout.session.required': 'true' } };
  const signOutOne = (_: SignedIn, session: string) => keycloak.admin('DELETE', `/sessions/${session}`);
  const signOutAll = () => keycloak.admin('POST', `${ada}/logout`);
  const leaveElsewhere = async ({ page }: SignedIn) => {
    await page.goto(`${keycloak.issuer}/protocol/openid-connect/logout`);
    await page.click('#kc-logout');
    await page.getByRole('heading', { name: 'You are logged out' }).waitFor();
  };

  test.each([
    ['"Sign out" of one session', {}, signOutOne, [401, 401]],
    ['"Sign out" of one session, session required,', required, signOutOne, [200, 401]],
    ['"Logout all sessions"', {}, signOutAll, [401, 401]],
    ['a sign-out elsewhere in one browser', {}, leaveElsewhere, [401, 401]],
    ['a sign-out elsewhere in one browser, session required,', required, leaveElsewhere, [200, 401]],
    ['"Logout all sessions" with front channel logout on', { frontchannelLogout: true }, signOutAll, [200, 200]],
  ])('%s leaves the sessions as the guide says', async (_, settings, signOut, statuses) => {
    expect(await statusesAfter(settings, signOut)).toEqual(statuses);
  });

  test('"Logout all sessions", with session required, ends all sessions, but in Keycloak 26.4 only one', async () => {
    const statuses = await statusesAfter(required, signOutAll);
    expect(statuses.toSorted()).toEqual(keycloak.version.startsWith('26.4.') ? [200, 401] : [401, 401]);
  });

  /** Signs in with two browsers, calls `signOut` for the second, and returns the statuses of both sessions. */
  async function statusesAfter(
    { attributes, ...settings }: { frontchannelLogout?: boolean; attributes?: Record<string, string> },
    signOut: (other: SignedIn, session: string) => Promise<unknown>,
  ) {
    await setClient(settings, attributes);
    const one = await signIn('e-1001');
    const before = await sessionsAtKeycloak(ada);
    const other = await signIn('e-1001');
    const [session = ''] = (await sessionsAtKeycloak(ada)).filter((id) => !before.includes(id));
    expect(await statusOf([one, other])).toEqual([200, 200]);
    await signOut(other, session);
    const statuses = await statusOf([one, other]);
    await signOutAll();
    return statuses;
  }
});

test('a new realm key is used at once, and people whose ID token was signed with a removed key can sign out', async () => {
  const [before, late] = [await signIn('e-1002'), await signIn('e-1003')];
  const { id: parentId } = await keycloak.admin<{ id: string }>('GET', '');
  const providerType = 'org.keycloak.keys.KeyProvider';
  const config = { priority: ['200'], algorithm: ['RS256'] };
  const next = { name: 'next', providerId: 'rsa-generated', providerType, parentId, config };
  await keycloak.admin('POST', '/components', next);
  expect((await renew(before)).status).toBe(200);
  const components = await keycloak.admin<{ id: string; name: string }[]>('GET', `/components?type=${providerType}`);
  const old = components.find(({ name }) => name === 'rsa-generated');
  await keycloak.admin('DELETE', `/components/${old?.id}`);
  // A restart makes Frontdesk fetch the keys at once. Otherwise, it would fetch them after ten minutes.
  await restart();
  const after = await signIn('e-1002');
  expect((await renew(after)).status).toBe(200);
  await keycloak.admin('POST', `${bruno}/logout`);
  expect(await statusOf([before, after])).toEqual([401, 401]);
  // The last ID token of this session was signed with the key that has been removed.
  await late.page.goto(`${url}/auth/logout`);
  const question = late.page.locator('#kc-logout');
  const home = late.page.getByRole('button', { name: 'Sign in' });
  await question.or(home).waitFor();
  // Frontdesk redirects the browser and revokes the refresh token at the same time. If the revocation has already ended
  // Keycloak's session, Keycloak does not ask for confirmation.
  if (await question.isVisible()) await question.click();
  await home.waitFor();
  expect([await statusOf([late]), await sessionsAtKeycloak(chidi)]).toEqual([[401], []]);
});

test('a client that must push its requests signs in only with OIDC_PAR=true', async () => {
  await setClient({}, { 'require.pushed.authorization.requests': 'true' });
  const refused = await (await browser.newContext()).newPage();
  const answer = await refused.goto(`${url}/auth/login`);
  expect([answer?.status(), await answer?.text()]).toEqual([400, expect.stringContaining('login-failed')]);
  await restart({ OIDC_PAR: 'true' });
  const begun = await fetch(`${url}/auth/login`, { redirect: 'manual' });
  const { searchParams } = new URL(begun.headers.get('location') ?? '');
  expect([...searchParams.keys()].toSorted()).toEqual(['client_id', 'request_uri']);
  expect(await statusOf([await signIn('e-1002')])).toEqual([200]);
});

test('with its own client key, which Keycloak fetches from it, Frontdesk signs in, renews sessions and rotates the key', async () => {
  await setClient(
    { clientAuthenticatorType: 'client-jwt' },
    { 'use.jwks.url': 'true', 'jwks.url': `${url}/.well-known/client-jwks.json` },
  );
  const own = { OIDC_CLIENT_AUTH: 'private_key_jwt', OIDC_CLIENT_SECRET: '' };
  await restart(own);
  const before = await signIn('e-1001');
  expect((await renew(before)).status).toBe(200);
  const rotation = await runToEnd(['keys', 'rotate', '--client', '--now'], { ...env, ...own });
  expect(rotation.exitCode).toBe(0);
  const countKeys = async () => {
    const { keys } = (await (await fetch(`${url}/.well-known/client-jwks.json`)).json()) as { keys: unknown[] };
    return keys.length;
  };
  await until(async () => (await countKeys()) === 2);
  // Keycloak waits at least ten seconds before it fetches the keys again.
  await until(async () => (await trySignIn('e-1002')).answer.status() === 200);
});

test('a client that requires DPoP signs in only with OIDC_DPOP=true, and its sessions are renewed after a restart', async () => {
  await setClient({}, { 'dpop.bound.access.tokens': 'true' });
  expect((await trySignIn('e-1002')).answer.status()).toBe(400);
  await restart({ OIDC_DPOP: 'true' });
  const person = await signIn('e-1002');
  expect((await renew(person)).status).toBe(200);
  await restart({ OIDC_DPOP: 'true' });
  expect((await renew(person)).status).toBe(200);
});

describe('the client profile fapi-2-dpop-security-profile', () => {
  const fapi = { OIDC_CLIENT_ID: 'frontdesk-fapi', OIDC_PROFILE: 'fapi2', OIDC_CLIENT_SECRET: '' };
  const policy = {
    name: 'fapi',
    enabled: true,
    conditions: [{ condition: 'any-client', configuration: {} }],
    profiles: ['fapi-2-on-http'],
  };
  const setPolicies = (policies: object[]) => keycloak.admin('PUT', '/client-policies/policies', { policies });
  afterEach(() => setPolicies([]));

  test('requires nothing that OIDC_PROFILE=fapi2 does not do, and frontdesk check finds every part of it', async () => {
    await copyProfile();
    await setPolicies([policy]);
    await createClient();
    await restart(fapi);
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${url}/auth/login`);
    await fillIn(page, 'e-1002');
    const isBack = (response: Response) => response.url().startsWith(`${url}/auth/login/callback`);
    // The profile also makes Keycloak ask for consent.
    const consent = page.getByRole('button', { name: 'Yes' });
    const [answer] = await Promise.all([page.waitForResponse(isBack), consent.click()]);
    expect(answer.status()).toBe(200);
    const { accessToken: token } = (await answer.json()) as { accessToken: string };
    expect(await (await me({ page, token })).json()).toMatchObject({ sub: 'e-1002', roles: ['EMPLOYEE'] });
    expect((await renew({ page, token })).status).toBe(200);
    await restart(fapi);
    expect((await renew({ page, token })).status).toBe(200);

    const { stdout } = await runToEnd(['check'], { ...env, ...fapi });
    const lines = stdout.trim().split('\n');
    expect(lines.filter((line) => /^ok +FAPI 2\.0 /.test(line))).toHaveLength(9);
    expect(lines.filter((line) => line.startsWith('FAILS'))).toEqual([]);
    expect(stdout).toMatch(/^ok +client /m);
  });

  /**
   * Copies the profile without its HTTPS requirement, because this test uses plain HTTP. The copy also binds codes to the DPoP
   * key.
   */
  async function copyProfile(): Promise<void> {
    interface Profile {
      name: string;
      executors: { executor: string; configuration: Record<string, unknown> }[];
    }
    const path = '/client-policies/profiles';
    const { globalProfiles } = await keycloak.admin<{ globalProfiles: Profile[] }>(
      'GET',
      `${path}?include-global-profiles=true`,
    );
    const { executors = [] } = globalProfiles.find(({ name }) => name === 'fapi-2-dpop-security-profile') ?? {};
    const binding = executors.find(({ executor }) => executor === 'dpop-bind-enforcer');
    Object.assign(binding?.configuration ?? {}, { 'enforce-authorization-code-binding-to-dpop': 'true' });
    const copied = executors.filter(({ executor }) => executor !== 'secure-client-uris');
    expect([copied.length, binding]).toEqual([executors.length - 1, expect.any(Object)]);
    await keycloak.admin('PUT', path, { profiles: [{ name: 'fapi-2-on-http', executors: copied }] });
  }

  async function createClient(): Promise<void> {
    const { id: _, attributes, protocolMappers, ...settings } = imported;
    await keycloak.admin('POST', '/clients', {
      ...settings,
      clientId: fapi.OIDC_CLIENT_ID,
      protocolMappers: protocolMappers.map(({ id: _, ...mapper }) => mapper),
      clientAuthenticatorType: 'client-jwt',
      attributes: { ...attributes, 'use.jwks.url': 'true', 'jwks.url': `${url}/.well-known/client-jwks.json` },
    });
    // The profile switches "Full scope allowed" off, so Keycloak sends only the roles mapped here.
    const [client] = await keycloak.admin<Client[]>('GET', `/clients?clientId=${fapi.OIDC_CLIENT_ID}`);
    const roles = [await keycloak.admin('GET', '/roles/EMPLOYEE')];
    await keycloak.admin('POST', `/clients/${client?.id}/scope-mappings/realm`, roles);
  }
});

test('frontdesk check finds nothing wrong with the realm, but reports a wrong secret or an unregistered address', async () => {
  const failures = async (changes: Record<string, string>) => {
    const { stdout } = await runToEnd(['check'], { ...env, ...changes });
    const lines = stdout.trim().split('\n');
    expect(lines.length).toBeGreaterThan(5);
    return lines.filter((line) => line.startsWith('FAILS'));
  };
  expect(await failures({})).toEqual([]);
  expect(await failures({ OIDC_CLIENT_SECRET: 'wrong' })).toEqual([expect.stringMatching(/^FAILS +client /)]);
  const unknown = 'http://localhost:9/elsewhere';
  expect(await failures({ OIDC_REDIRECT_URIS: unknown })).toEqual([
    expect.stringMatching(new RegExp(`^FAILS +redirect address +${unknown}`)),
  ]);
});
