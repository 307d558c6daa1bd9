// The environment of every peer: port; key, issuer and audience of the tokens; database; and a file with the bytes of the list.
import { readFileSync } from 'node:fs';

export const { PORT, DATABASE_URL, ISSUER, AUDIENCE, LIST_FILE } = process.env;
export const publicKey = readFileSync(process.env.PUBLIC_KEY_FILE, 'utf8');
export const verification = { algorithms: ['ES256'], issuer: ISSUER, audience: AUDIENCE };
export const listQuery = `select id, label, value, sort_order as "sortOrder" from lookup_item
  where list = $1 and status = 'active' order by sort_order, label`;
export const personQuery = `select p.employee_id as sub, p.name, p.email from session s join person p on p.id = s.person_id
  where s.sid = $1`;
// Turns PostgreSQL's bigint into a number, as the interface requires.
export const asNumbers = (rows) =>
  rows.map(({ id, label, value, sortOrder }) => ({ id: Number(id), label, value, sortOrder: Number(sortOrder) }));
