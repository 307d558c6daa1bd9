import { z } from 'zod';
import { withAnyRole } from '../http/access.ts';
import { noStore } from '../http/headers.ts';
import { type Route, route } from '../http/route.ts';
import type { Db } from '../storage/storage.ts';
import { readAudit } from './audit.ts';

const AuditRow = z
  .strictObject({
    id: z.string(),
    at: z.iso.datetime(),
    type: z.string(),
    person: z.string().nullable(),
    session: z.string().nullable(),
    address: z.string().nullable(),
    requestId: z.string().nullable(),
    detail: z.string().nullable(),
  })
  .meta({ id: 'AuditRow' });

// As functions: as patterns in the contract they would not mean the same in every language's regular expressions.
const text = z.string().refine((given) => !/\p{Cc}/u.test(given), 'must have no control characters');
const instant = z.iso.datetime({ offset: true }).or(z.iso.date());

const AuditQuery = z.object({
  since: z
    .string()
    .refine((given) => instant.safeParse(given).success, 'must be a date, or a point in time with its offset')
    .optional()
    .meta({ description: 'Nothing before this date or time', minLength: 1, example: '2027-01-31T08:00:00Z' }),
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
      operationId: 'listAuditRows',
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
