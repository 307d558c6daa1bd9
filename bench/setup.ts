// The data that all servers share: a database with the default lists and ten thousand people, and tokens that all of
// them accept.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportSPKI, importJWK, type JWK, SignJWT } from 'jose';
import { createSealer } from '../src/storage/secret.ts';
import { bearer, makeFolder } from '../test/support/frontdesk.ts';
import { freePort } from '../test/support/ports.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { runToEnd } from '../test/support/process.ts';
import { startCluster } from '../test/support/replicas.ts';

const secretKey = 'shared by all replicas, long enough';

/** Frontdesk's cache holds the tokens of `manyPeople`, but not `tooMany` tokens. */
const manyPeople = 10_000;
const tooMany = 50_000;

export type Setup = Awaited<ReturnType<typeof prepare>>;

export async function prepare() {
  // Closed in reverse order, even if this function fails.
  await using opened = new AsyncDisposableStack();
  const folder = makeFolder();
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const postgres = await startPostgres();
  opened.defer(() => postgres.stop());
  const databaseUrl = await postgres.createDatabase();
  const database = new URL(databaseUrl).pathname.slice(1);
  const publicUrl = `http://localhost:${freePort()}`;

  // One Frontdesk creates the tables and the keys.
  const cluster = await startCluster({ count: 1, databaseUrls: [databaseUrl], publicUrl });
  opened.defer(() => cluster.stop());
  const first = cluster.replicas[0]?.url ?? '';
  const plain = { ...bearer(cluster.token), 'accept-encoding': 'identity' };
  const answer = await fetch(`${first}/employee/position`, { headers: plain });
  const list = await answer.text();
  const { date: _, 'content-length': __, ...listHeaders } = Object.fromEntries(answer.headers);
  const { keys } = (await (await fetch(`${first}/.well-known/jwks.json`)).json()) as { keys: [JWK & { kid: string }] };
  await Promise.all(cluster.replicas.map((replica) => replica.stop()));

  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const publicKey = (await importJWK(keys[0], 'ES256', { extractable: true })) as CryptoKey;

  await postgres.query(addPeople(manyPeople), database);
  const [row] = await postgres.query("select private_key from signing_key where state = 'active'", database);
  const jwk = await (await createSealer(secretKey, 'signing keys')).open(String(row?.private_key));
  const privateKey = await importJWK(JSON.parse(jwk ?? '') as JWK, 'ES256');
  const now = Math.floor(Date.now() / 1000);
  /** Signs a token like the ones that the service issues. */
  const sign = (number: number, typ: string) =>
    new SignJWT({ client_id: 'desk', sid: `bench-${number}`, roles: ['EMPLOYEE'] })
      .setProtectedHeader({ alg: 'ES256', kid: keys[0].kid, typ })
      .setIssuer(publicUrl)
      .setAudience(publicUrl)
      .setSubject(`B-${number}`)
      .setIssuedAt(now)
      .setExpirationTime(now + 4 * 3600)
      .setJti(crypto.randomUUID())
      .sign(privateKey);
  const signMany = async (count: number, typ: string) =>
    (await Promise.all(Array.from({ length: count }, (_, index) => sign(index + 1, typ)))).join('\n');

  // The same database with an additional list of 10,000 items.
  const bigDatabase = `${database}_big`;
  await postgres.query(`create database ${bigDatabase} template ${database}`);
  const bigDatabaseUrl = databaseUrl.replace(database, bigDatabase);
  const rows = Array.from({ length: 10_000 }, (_, index) => `grade,G${index},Grade ${index}`);
  const applied = await runToEnd(['lookups', 'apply', file('grades.csv', ['list,value,label', ...rows].join('\n'))], {
    DATABASE_URL: bigDatabaseUrl,
    SECRET_KEY: secretKey,
  });
  if (applied.exitCode !== 0) throw new Error(applied.stderr);

  const token = await sign(1, 'at+jwt');
  const tokensFile = file('tokens', await signMany(manyPeople, 'at+jwt'));
  const tooManyTokensFile = file('too-many-tokens', await signMany(tooMany, 'at+jwt'));
  // Hono's own middleware accepts only tokens of type JWT.
  const plainTyped = {
    token: await sign(1, 'JWT'),
    tokensFile: file('plain-tokens', await signMany(manyPeople, 'JWT')),
  };
  const publicKeyFile = file('key.pem', await exportSPKI(publicKey));

  const closing = opened.move();
  return {
    folder,
    list,
    token,
    tokensFile,
    tooManyTokensFile,
    plainTyped,
    bigDatabaseUrl,
    listFile: file('list.json', list),
    /** The environment of every server: Frontdesk and its peers. */
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      LIST_FILE: join(folder, 'list.json'),
      LIST_HEADERS: JSON.stringify(listHeaders),
      TOKEN: token,
      PUBLIC_KEY_FILE: publicKeyFile,
      ISSUER: publicUrl,
      AUDIENCE: publicUrl,
      PUBLIC_URL: publicUrl,
      SECRET_KEY: secretKey,
      OIDC_ISSUER: cluster.issuer,
      OIDC_CLIENT_ID: 'desk',
      OIDC_CLIENT_SECRET: 'the secret of this client',
      // Requests are counted, but never reach the limit.
      RATE_LIMIT_API: '100000000/1m',
      RATE_LIMIT_LOGIN: '100000000/1m',
    },
    /** Gets a code from the provider, and returns the path that redeems it. */
    callback: cluster.callback,
    close: () => closing.disposeAsync(),
  };
}

function addPeople(count: number): string {
  return `
    insert into person (id, issuer, subject, employee_id, name, given_name, family_name, email, email_verified,
                        phone_number, created_at, last_login_at)
      select 'bench-' || n, 'https://bench.example', 'B-' || n, 'B-' || n, 'Person ' || n, 'Person', n::text,
             'b' || n || '@example.com', 1, '', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'
      from generate_series(1, ${count}) n;
    insert into session (sid, person_id, roles, authentication, opened_at, last_seen_at, token_expires_at, expires_at)
      select 'bench-' || n, 'bench-' || n, '["EMPLOYEE"]', '{"amr":[]}', '2026-01-01T00:00:00.000Z',
             '2026-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'
      from generate_series(1, ${count}) n;
    analyze`;
}
