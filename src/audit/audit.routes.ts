import { z } from 'zod';
import { withAnyRole } from '../http/access.ts';
import { noStore } from '../http/headers.ts';
import { type Route, route } from '../http/route.ts';
import type { Db } from '../storage/storage.ts';
import { readAudit, type ShownRow } from './audit.queries.ts';
import type { RecordReading } from './recorded-reading.ts';

const AuditRow = z
  .strictObject({
    id: z.string().meta({ description: 'Digits; a later row has a higher number', example: '42' }),
    at: z.iso.datetime(),
    type: z.string(),
    person: z.string().nullable().meta({ description: 'The employee ID of the person it concerns' }),
    actor: z.string().nullable().meta({ description: 'Who did it, where that is known' }),
    session: z.string().nullable(),
    address: z.string().nullable(),
    requestId: z.string().nullable(),
    detail: z.string().nullable(),
  })
  .meta({ id: 'AuditRow' });

// As functions: as patterns in the contract they would not mean the same in every language's regular expressions.
const text = z.string().refine((given) => !/\p{Cc}/u.test(given), 'must have no control characters');
const instant = z.iso.datetime({ offset: true }).or(z.iso.date());
const rowId = z
  .string()
  .regex(/^[0-9]{1,15}$/, 'must be the id of a row, or 0')
  .transform(Number);

const AuditQuery = z
  .object({
    since: z
      .string()
      .refine((given) => instant.safeParse(given).success, 'must be a date, or a point in time with its offset')
      .optional()
      .meta({ description: 'Nothing before this date or time', minLength: 1, example: '2027-01-31T08:00:00Z' }),
    type: text.max(64).optional(),
    person: text.max(255).optional(),
    limit: z.coerce.number<string>().int().min(1).max(1000).default(100),
    after: rowId
      .optional()
      .meta({ description: 'Only rows after this one, the oldest first; 0 for all there are', example: '42' }),
    before: rowId.optional().meta({ description: 'Only rows before this one, the newest of them', example: '42' }),
  })
  .refine(({ after, before }) => after === undefined || before === undefined, {
    path: ['before'],
    message: 'must not be given together with after',
  });

interface AuditRoutesOptions {
  publicUrl: string;
  reads: Db;
  readRoles: readonly string[];
  recordReading: RecordReading;
}

export function auditRoutes({ publicUrl, reads, readRoles, recordReading }: AuditRoutesOptions): Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/audit',
      operationId: 'listAuditRows',
      access: withAnyRole(readRoles),
      tag: 'Service',
      summary: 'What happened: sign-ins, refusals, logouts, keys, lists',
      description:
        'The newest that match, oldest first; with `after`, those that follow. Whoever follows the link to the next rows ' +
        'again and again sees every row once, in order. Reading is audited, too.',
      query: AuditQuery,
      answers: {
        200: {
          description: 'The rows',
          headers: { Link: 'The rows that follow (`rel="next"`), also where there are none yet' },
          content: { 'application/json': z.array(AuditRow) },
        },
      },
      problems: ['storage-unavailable'],
      async handle({ query, principal, requestId, address }) {
        await recordReading(principal, { requestId, address });
        const rows = await readAudit(reads, {
          ...query,
          since: query.since === undefined ? undefined : new Date(query.since),
        });
        return Response.json(rows, { headers: { ...noStore, Link: nextLink(publicUrl, query, rows) } });
      },
    }),
  ];
}

/** RFC 8288. With the same filter. */
function nextLink(publicUrl: string, query: z.output<typeof AuditQuery>, rows: readonly ShownRow[]): string {
  const { since, type, person, limit, after = 0 } = query;
  const parameters = new URLSearchParams({ after: rows.at(-1)?.id ?? String(after), limit: String(limit) });
  for (const [name, value] of Object.entries({ since, type, person })) {
    if (value !== undefined) parameters.set(name, value);
  }
  return `<${publicUrl}/admin/audit?${parameters}>; rel="next"`;
}
