import jwt from '@fastify/jwt';
import fastify from 'fastify';
import pg from 'pg';
import { AUDIENCE, asNumbers, DATABASE_URL, ISSUER, listQuery, PORT, personQuery, publicKey } from './shared.mjs';

const pool = new pg.Pool({ connectionString: DATABASE_URL });
const app = fastify();
await app.register(jwt, {
  secret: { public: publicKey },
  // Caches as many tokens as Frontdesk does.
  verify: { algorithms: ['ES256'], allowedIss: ISSUER, allowedAud: AUDIENCE, cache: 20_000 },
});
app.addHook('onRequest', (request) => request.jwtVerify());
const item = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    label: { type: 'string' },
    value: { type: 'string' },
    sortOrder: { type: 'integer' },
  },
};
const schema = { response: { 200: { type: 'array', items: item } } };
app.get('/employee/:list', { schema }, async ({ params }) =>
  asNumbers((await pool.query(listQuery, [params.list])).rows),
);
app.get('/auth/me', async ({ user }) => (await pool.query(personQuery, [user.sid])).rows[0]);
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
