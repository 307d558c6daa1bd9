// What every peer does once the provider has identified the person: store person and session, and issue a token.
import { createHash, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import pg from 'pg';

export const { PORT, PUBLIC_URL, OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, SECRET_KEY } = process.env;
export const redirectUri = `${PUBLIC_URL}/auth/login/callback`;
export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });

await pool.query(`create table if not exists person (id bigserial primary key, subject text unique not null,
    name text, email text, last_login_at timestamptz not null);
  create table if not exists login_session (sid text primary key, person_id bigint not null references person,
    cookie_hash text, refresh_token text, opened_at timestamptz not null, expires_at timestamptz not null)`);

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
export const randomText = () => randomBytes(32).toString('base64url');

/** Stores person and session after a sign-in that passed every check, and returns the cookie and the answer. */
export async function openSession({ sub, name, email }) {
  const { rows } = await pool.query(
    `insert into person (subject, name, email, last_login_at) values ($1, $2, $3, now())
      on conflict (subject) do update set name = $2, email = $3, last_login_at = now() returning id`,
    [sub, name, email],
  );
  const [sid, cookie] = [randomUUID(), randomText()];
  await pool.query(
    `insert into login_session (sid, person_id, cookie_hash, opened_at, expires_at)
      values ($1, $2, $3, now(), now() + interval '12 hours')`,
    [sid, rows[0].id, createHash('sha256').update(cookie).digest('hex')],
  );
  const accessToken = await new SignJWT({ sid, roles: ['EMPLOYEE'] })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
    .setIssuer(PUBLIC_URL)
    .setAudience(PUBLIC_URL)
    .setSubject(sub)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey);
  return { cookie, result: { accessToken, expirationInSeconds: 3600 } };
}
