import { z } from '@hono/zod-openapi';
import { withAnyRole } from '../http/access.ts';
import { noStore } from '../http/headers.ts';
import { type Route, route } from '../http/route.ts';
import type { Db } from '../storage/storage.ts';
import { readAudit } from './audit.ts';

const AuditRow = z
  .strictObject({
    id: z.string(),
    at: z.string(),
    type: z.string(),
    person: z.string().nullable(),
    session: z.string().nullable(),
    address: z.string().nullable(),
    requestId: z.string().nullable(),
    detail: z.string().nullable(),
  })
  .openapi('AuditRow');

const text = z.string().regex(/^\P{Cc}*$/u, 'must have no control characters');

const AuditQuery = z.object({
  since: z.iso.datetime({ offset: true }).or(z.iso.date()).optional(),
  type: text.max(64).optional(),
  person: text.max(255).optional(),
  limit: z.coerce.number<string>().int().min(1).max(1000).default(100),
});

interface AuditRoutesOptions {
  reads: Db;
  adminRoles: readonly string[];
}

export function auditRoutes({ reads, adminRoles }: AuditRoutesOptions): Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/audit',
      access: withAnyRole(adminRoles),
      tag: 'Service',
      summary: 'What happened: sign-ins, refusals, logouts, keys, lists',
      description: 'The newest that match, oldest first.',
      query: AuditQuery,
      answers: { 200: { description: 'The rows', content: { 'application/json': z.array(AuditRow) } } },
      problems: ['storage-unavailable'],
      async handle({ query: { since, ...filter } }) {
        const rows = await readAudit(reads, { since: since && new Date(since).toISOString(), ...filter });
        const answer = rows.map(({ request_id: requestId, ...row }) => ({ ...row, requestId }));
        return Response.json(answer, { headers: noStore });
      },
    }),
  ];
}
