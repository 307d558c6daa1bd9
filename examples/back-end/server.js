import { serve } from '@hono/node-server';
import { createFrontdesk, FrontdeskError } from 'frontdesk-client';
import { Hono } from 'hono';
import { createRemoteJWKSet, jwtVerify } from 'jose';

const issuer = process.env.FRONTDESK_URL ?? 'http://localhost:3000';
const audience = process.env.FRONTDESK_AUDIENCE ?? issuer;
const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
const app = new Hono();

app.post('/api/employees', async (context) => {
  const [, token = ''] = /^Bearer (\S+)$/i.exec(context.req.header('Authorization') ?? '') ?? [];
  const { payload } = await jwtVerify(token, keys, { issuer, audience, typ: 'at+jwt' });
  // Frontdesk checks what this person may see, and whether their session still exists.
  const frontdesk = createFrontdesk({ baseUrl: issuer, accessToken: token });
  const { valid, results } = await frontdesk.validate(await context.req.json());
  return valid ? context.json({ savedBy: payload.sub }) : context.json({ results }, 422);
});

app.onError((error, context) => {
  if (error instanceof FrontdeskError) return context.json({ error: error.code }, error.status || 503);
  if (/^ERR_(JW[ST]_|JWKS_NO|JOSE_ALG|JOSE_NOT)/.test(error.code)) return context.json({ error: 'invalid-token' }, 401);
  return error instanceof SyntaxError
    ? context.json({ error: 'not-json' }, 400)
    : context.json({ error: 'network' }, 503);
});

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 8080) });
