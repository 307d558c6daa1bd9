import { createPublicKey } from 'node:crypto';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { jwt } from 'hono/jwt';
import pg from 'pg';
import { AUDIENCE, asNumbers, DATABASE_URL, ISSUER, listQuery, PORT, personQuery, publicKey } from './shared.mjs';

const pool = new pg.Pool({ connectionString: DATABASE_URL });
const app = new Hono();
app.use(
  '*',
  jwt({
    secret: createPublicKey(publicKey).export({ format: 'jwk' }),
    alg: 'ES256',
    verification: { iss: ISSUER, aud: AUDIENCE },
  }),
);
app.get('/employee/:list', async (c) => c.json(asNumbers((await pool.query(listQuery, [c.req.param('list')])).rows)));
app.get('/auth/me', async (c) => c.json((await pool.query(personQuery, [c.get('jwtPayload').sid])).rows[0]));
serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' });
