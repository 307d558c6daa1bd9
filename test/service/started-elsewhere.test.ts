// Sign-ins that start at the provider, from a tile in its list of applications: OpenID Connect Core section 4.
import { expect, test } from 'bun:test';
import { Browser } from '../support/browser.ts';
import { startFrontdesk } from '../support/frontdesk.ts';
import { expectProblem } from '../support/problem.ts';
import { shared } from '../support/shared.ts';

const desk = shared(startFrontdesk);

const redirectOf = async (query: Record<string, string>) => {
  const response = await desk.get(`/auth/login?${new URLSearchParams(query)}`);
  return new URL(response.headers.get('location') ?? 'none:').searchParams.get('redirect_uri');
};

test('the address for a tile signs in and ends in the console', async () => {
  const start = `${desk.url}/auth/login?redirect_uri=${desk.url}/&login_hint=E-1001`;
  const { url } = await new Browser().follow(start, ({ origin, pathname }) => origin === desk.url && pathname === '/');
  expect([url.origin, url.pathname, url.searchParams.has('code')]).toEqual([desk.url, '/', true]);
});

test('the configured provider may start a sign-in, with or without a slash at the end of its name', async () => {
  for (const iss of [desk.issuer, `${desk.issuer}/`])
    expect(await redirectOf({ iss })).toBe(`${desk.url}/auth/login/callback`);
});

test('any other provider is refused, and no sign-in begins', async () => {
  for (const iss of ['https://elsewhere.example', '', `${desk.issuer}.elsewhere.example`]) {
    const response = await desk.get(`/auth/login?iss=${encodeURIComponent(iss)}`);
    expect(response.headers.getSetCookie()).toEqual([]);
    await expectProblem(response, 'login-mismatch', 400);
  }
});

test('target_link_uri is where the sign-in ends, if it is allowed; redirect_uri takes precedence', async () => {
  const [usual, home] = [`${desk.url}/auth/login/callback`, `${desk.url}/`];
  expect(await redirectOf({ target_link_uri: home })).toBe(home);
  expect(await redirectOf({ target_link_uri: 'https://elsewhere.example/' })).toBe(usual);
  expect(await redirectOf({ target_link_uri: home, redirect_uri: usual })).toBe(usual);
});
