// Fastify with @fastify/oauth2, which keeps state and PKCE verifier in cookies. It does not handle ID tokens, so jose
// verifies them, and the nonce is in a separate cookie.
import cookie from '@fastify/cookie';
import oauth2 from '@fastify/oauth2';
import fastify from 'fastify';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import {
  OIDC_CLIENT_ID,
  OIDC_CLIENT_SECRET,
  OIDC_ISSUER,
  openSession,
  PORT,
  randomText,
  redirectUri,
  SECRET_KEY,
} from './shared.mjs';

const { jwks_uri } = await (await fetch(`${OIDC_ISSUER}/.well-known/openid-configuration`)).json();
const keys = createRemoteJWKSet(new URL(jwks_uri));
const verification = { issuer: OIDC_ISSUER, audience: OIDC_CLIENT_ID, algorithms: ['RS256'] };

const app = fastify();
await app.register(cookie, { secret: SECRET_KEY });
await app.register(oauth2, {
  name: 'provider',
  scope: ['openid', 'profile', 'email'],
  credentials: { client: { id: OIDC_CLIENT_ID, secret: OIDC_CLIENT_SECRET } },
  callbackUri: redirectUri,
  discovery: { issuer: OIDC_ISSUER },
  pkce: 'S256',
  cookie: { httpOnly: true, sameSite: 'lax', path: '/' },
});
const own = { httpOnly: true, sameSite: 'lax', path: '/', signed: true };
app.get('/health/ready', async () => '');
app.get('/auth/login', async (request, reply) => {
  const nonce = randomText();
  const url = new URL(await app.provider.generateAuthorizationUri(request, reply));
  url.searchParams.set('nonce', nonce);
  return reply.setCookie('nonce', nonce, own).redirect(url.href);
});
app.get('/auth/login/callback', async (request, reply) => {
  const { token } = await app.provider.getAccessTokenFromAuthorizationCodeFlow(request, reply);
  const { payload } = await jwtVerify(token.id_token, keys, verification);
  const { value: nonce } = request.unsignCookie(request.cookies.nonce);
  if (payload.nonce !== nonce) throw new Error('the nonce does not match');
  const person = await app.provider.userinfo(token.access_token);
  if (person.sub !== payload.sub) throw new Error('the subject does not match');
  const session = await openSession(person);
  return reply
    .clearCookie('nonce')
    .setCookie('session', session.cookie, { ...own, sameSite: 'strict', signed: false })
    .send(session.result);
});
await app.listen({ port: Number(PORT), host: 'localhost' });
