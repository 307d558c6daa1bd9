// Express with passport-openidconnect, which keeps an attempt in the session of express-session, here in PostgreSQL. The
// library trusts TLS and does not verify the signature of the ID token, so jose does. The library does not support PKCE.
import connectPgSimple from 'connect-pg-simple';
import express from 'express';
import session from 'express-session';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import passport from 'passport';
import { Strategy } from 'passport-openidconnect';
import {
  OIDC_CLIENT_ID,
  OIDC_CLIENT_SECRET,
  OIDC_ISSUER,
  openSession,
  PORT,
  pool,
  redirectUri,
  SECRET_KEY,
} from './shared.mjs';

const server = await (await fetch(`${OIDC_ISSUER}/.well-known/openid-configuration`)).json();
const keys = createRemoteJWKSet(new URL(server.jwks_uri));
const verification = { issuer: OIDC_ISSUER, audience: OIDC_CLIENT_ID, algorithms: ['RS256'] };

passport.use(
  new Strategy(
    {
      issuer: OIDC_ISSUER,
      authorizationURL: server.authorization_endpoint,
      tokenURL: server.token_endpoint,
      userInfoURL: server.userinfo_endpoint,
      clientID: OIDC_CLIENT_ID,
      clientSecret: OIDC_CLIENT_SECRET,
      callbackURL: redirectUri,
      scope: ['openid', 'profile', 'email'],
      nonce: true,
      skipUserProfile: false,
    },
    (_issuer, profile, _context, idToken, _accessToken, _refreshToken, done) =>
      jwtVerify(idToken, keys, verification)
        .then(({ payload }) =>
          openSession({ sub: payload.sub, name: profile.displayName, email: profile.emails?.[0]?.value }),
        )
        .then(
          (opened) => done(null, opened),
          (error) => done(error),
        ),
  ),
);
const Store = connectPgSimple(session);
const app = express();
app.get('/health/ready', (_request, response) => response.end());
app.use(
  session({
    store: new Store({ pool, tableName: 'web_session', createTableIfMissing: true }),
    secret: SECRET_KEY,
    resave: false,
    saveUninitialized: false,
    cookie: { httpOnly: true, sameSite: 'lax' },
  }),
);
app.get('/auth/login', passport.authenticate('openidconnect', { session: false }));
app.get('/auth/login/callback', passport.authenticate('openidconnect', { session: false }), (request, response) =>
  response.json(request.user.result),
);
app.listen(Number(PORT), 'localhost');
