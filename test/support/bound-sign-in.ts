// A sign-in that began at /auth/login, with the hostile provider, and the session it opens.
import type { Frontdesk } from './frontdesk.ts';
import type { HostileProvider, Lie } from './hostile-provider.ts';

export interface BoundSession {
  token: string;
  sid: string;
  idToken: string;
  /** The Cookie header that a browser sends. */
  cookie: string;
  /** The Set-Cookie header of the service. */
  setCookie: string;
}

interface BoundSignIn extends Pick<Lie, 'claims' | 'userinfo' | 'refreshToken'> {
  /** Cookies that are sent in addition to the cookie of the sign-in attempt. */
  sent?: string;
}

let codes = 0;

/** Makes a bound sign-in, and restores the provider's behaviour afterwards. */
export async function signInBound(
  at: Pick<Frontdesk, 'get'>,
  from: HostileProvider,
  { sent = '', claims, ...lie }: BoundSignIn = {},
): Promise<BoundSession> {
  const begun = await at.get('/auth/login');
  const { searchParams } = new URL(begun.headers.get('location') ?? '');
  const before = from.lie;
  let idToken = '';
  from.lie = {
    ...before,
    ...lie,
    claims: { nonce: searchParams.get('nonce'), ...before.claims, ...claims },
    idToken: (honest) => {
      idToken = honest;
      return honest;
    },
  };
  const [attempt = ''] = begun.headers.get('set-cookie')?.split(';') ?? [];
  const path = `/auth/login/callback?code=bound-${++codes}&state=${searchParams.get('state')}`;
  const response = await at.get(path, { cookie: `${attempt}; ${sent}` });
  from.lie = before;
  const { accessToken: token } = (await response.json()) as { accessToken: string };
  const setCookie = response.headers.getSetCookie().find((each) => each.includes('frontdesk_session=')) ?? '';
  const { sid = '' } = payloadOf<{ sid: string }>(token);
  return { token, sid, idToken, setCookie, cookie: setCookie.split(';')[0] ?? '' };
}

export function payloadOf<T>(token: string): Partial<T> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? 'e30', 'base64url').toString()) as Partial<T>;
}

/** Renews the session, as a page of the service does. */
export function renewBy(cookie: string, at: Pick<Frontdesk, 'url' | 'config'>, headers: Record<string, string> = {}) {
  const { origin } = new URL(at.config.publicUrl);
  return fetch(`${at.url}/auth/renew`, { method: 'POST', headers: { cookie, origin, ...headers } });
}
