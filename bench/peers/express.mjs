import express from 'express';
import jwt from 'jsonwebtoken';
import pg from 'pg';
import { asNumbers, DATABASE_URL, listQuery, PORT, personQuery, publicKey, verification } from './shared.mjs';

const pool = new pg.Pool({ connectionString: DATABASE_URL });
const app = express();
app.use((request, response, next) => {
  const [, token = ''] = (request.headers.authorization ?? '').split(' ');
  jwt.verify(token, publicKey, verification, (error, claims) => {
    if (error) return response.status(401).json({ title: 'Unauthorized' });
    request.claims = claims;
    next();
  });
});
app.get('/employee/:list', async (request, response) => {
  response.json(asNumbers((await pool.query(listQuery, [request.params.list])).rows));
});
app.get('/auth/me', async (request, response) => {
  response.json((await pool.query(personQuery, [request.claims.sid])).rows[0]);
});
app.listen(Number(PORT), '127.0.0.1');
