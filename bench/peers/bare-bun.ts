// Serves the same bytes without authentication or routing, which shows what Bun can do.
import { readFileSync } from 'node:fs';

const body = readFileSync(process.env.LIST_FILE ?? '');
Bun.serve({
  port: Number(process.env.PORT),
  hostname: '127.0.0.1',
  fetch: () => new Response(body, { headers: { 'Content-Type': 'application/json' } }),
});
