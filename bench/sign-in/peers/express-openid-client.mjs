// Express with openid-client, as its documentation shows. The data of a sign-in attempt is in a signed cookie.
import cookieParser from 'cookie-parser';
import express from 'express';
import * as client from 'openid-client';
import {
  OIDC_CLIENT_ID,
  OIDC_CLIENT_SECRET,
  OIDC_ISSUER,
  openSession,
  PORT,
  PUBLIC_URL,
  redirectUri,
  SECRET_KEY,
} from './shared.mjs';

const config = await client.discovery(new URL(OIDC_ISSUER), OIDC_CLIENT_ID, OIDC_CLIENT_SECRET);
// By default, openid-client trusts the TLS connection and does not verify the signature.
client.enableNonRepudiationChecks(config);

const app = express();
app.use(cookieParser(SECRET_KEY));
app.get('/health/ready', (_request, response) => response.end());
app.get('/auth/login', async (_request, response) => {
  const attempt = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  };
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
  });
  response.cookie('attempt', attempt, { httpOnly: true, sameSite: 'lax', signed: true, maxAge: 600_000 });
  response.redirect(url.href);
});
app.get('/auth/login/callback', async (request, response) => {
  const { state, nonce, verifier } = request.signedCookies.attempt;
  const tokens = await client.authorizationCodeGrant(config, new URL(request.originalUrl, PUBLIC_URL), {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const person = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub);
  const { cookie, result } = await openSession(person);
  response.clearCookie('attempt');
  response.cookie('session', cookie, { httpOnly: true, sameSite: 'strict' });
  response.json(result);
});
app.listen(Number(PORT), 'localhost');
