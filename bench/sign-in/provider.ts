// An OpenID provider that needs almost no processor time during a sign-in, because it signs ID tokens in advance (POST
// /prepare). It runs in a separate process, with TLS.
import { createSign, generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';

const port = Number(process.env.PORT);
const issuer = `https://localhost:${port}`;
const tls = (file: string) => Bun.file(join(import.meta.dir, '../../test/support/tls', file));

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const header = encode({ alg: 'RS256', kid: 'bench', typ: 'JWT' });

/** A sign-in in progress: the parameters that the server under test has sent to the sign-in page. */
export interface Prepared {
  nonce: string;
  challenge: string;
  person: string;
}

interface Grant {
  challenge: string;
  tokens: string;
}

const grants = new Map<string, Grant>();
const people = new Map<string, string>();
let count = 0;

function prepare({ nonce, challenge, person }: Prepared): string {
  const [code, accessToken] = [`code-${++count}-${crypto.randomUUID()}`, `access-${count}-${crypto.randomUUID()}`];
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, aud: 'desk', sub: person, nonce, iat: now, exp: now + 3600, auth_time: now };
  const signed = `${header}.${encode(claims)}`;
  const signature = createSign('RSA-SHA256').update(signed).sign(privateKey).toString('base64url');
  const tokens = {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: 3600,
    id_token: `${signed}.${signature}`,
    refresh_token: `refresh-${crypto.randomUUID()}`,
  };
  grants.set(code, { challenge, tokens: JSON.stringify(tokens) });
  const about = { sub: person, name: `Person ${person}`, given_name: 'Person', family_name: person };
  people.set(
    `Bearer ${accessToken}`,
    JSON.stringify({ ...about, email: `${person}@example.com`, email_verified: true, groups: ['EMPLOYEE'] }),
  );
  return code;
}

const json = { headers: { 'content-type': 'application/json' } };

async function redeem(request: Request): Promise<Response> {
  const form = new URLSearchParams(await request.text());
  const code = form.get('code') ?? '';
  const grant = grants.get(code);
  grants.delete(code);
  const proof = Bun.SHA256.hash(form.get('code_verifier') ?? '', 'base64')
    .replaceAll('+', '-')
    .replaceAll('/', '_');
  const isTheirs = grant !== undefined && (grant.challenge === '' || grant.challenge === proof.replace('=', ''));
  return isTheirs ? new Response(grant.tokens, json) : Response.json({ error: 'invalid_grant' }, { status: 400 });
}

function describe(request: Request): Response {
  const authorization = request.headers.get('authorization') ?? '';
  const person = people.get(authorization);
  people.delete(authorization);
  return person === undefined ? new Response(null, { status: 401 }) : new Response(person, json);
}

Bun.serve({
  hostname: 'localhost',
  port,
  idleTimeout: 60,
  tls: { cert: tls('localhost.pem'), key: tls('localhost.key') },
  routes: {
    '/.well-known/openid-configuration': () =>
      Response.json({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
      }),
    '/keys': () =>
      Response.json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'bench', alg: 'RS256', use: 'sig' }] }),
    '/token': { POST: redeem },
    '/userinfo': { GET: describe },
    '/prepare': {
      POST: async (request) => Response.json(((await request.json()) as Prepared[]).map(prepare)),
    },
  },
});
