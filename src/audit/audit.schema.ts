import { z } from 'zod';
import { numberParameter } from '../http/route.ts';

/** The types that this version writes. Readers may find others, written by older or newer versions. */
export const auditTypes = [
  'sign-in',
  'sign-in-refused',
  'logout',
  'session-ended',
  'key-made',
  'key-activated',
  'key-removed',
  'key-resealed',
  'person-moved',
  'person-exported',
  'person-forgotten',
  'caller-added',
  'caller-removed',
  'token-issued',
  'list-changed',
  'audit-read',
  'audit-removed',
  'audit-sealed',
] as const;

export type AuditType = (typeof auditTypes)[number];

export const AuditRow = z
  .strictObject({
    id: z.string().meta({ description: 'A number as text; later rows have higher numbers', example: '42' }),
    at: z.iso.datetime(),
    type: z.string(),
    person: z.string().nullable().meta({ description: 'The employee ID of the person concerned, or `caller:NAME`' }),
    personName: z.string().nullable().meta({ description: 'The current name of that person, if known' }),
    actor: z.string().nullable().meta({ description: 'Who did it, if known' }),
    actorName: z.string().nullable().meta({ description: 'The current name of the actor, if known' }),
    session: z.string().nullable(),
    address: z.string().nullable(),
    requestId: z.string().nullable(),
    detail: z.string().nullable(),
  })
  .meta({ id: 'AuditRow' });
export type AuditRow = z.infer<typeof AuditRow>;

// Checked by functions, because patterns would appear in the OpenAPI document, and clients in other languages might
// interpret them differently.
const text = z.string().refine((given) => !/\p{Cc}/u.test(given), 'must contain no control characters');
const instant = z.iso.datetime({ offset: true }).or(z.iso.date());
export const TimeParameter = z
  .string()
  .refine((given) => instant.safeParse(given).success, 'must be a date, or a time with its UTC offset');

/** Times are compared as text, so their years must have four digits. */
const lastTime = Date.parse('9999-12-31');
const timeAt = (time: number) => new Date(Math.min(time, lastTime));

export const startOfPeriod = (given: string): Date => timeAt(Date.parse(given));
/** For a date, returns the end of that day; for a time, returns the time itself. */
export const endOfPeriod = (given: string): Date => timeAt(Date.parse(given) + (given.includes('T') ? 0 : 86_400_000));

const rowId = z
  .string()
  .regex(/^[0-9]{1,15}$/, 'must be the id of a row, or 0')
  .transform(Number);

export const AuditQuery = z
  .strictObject({
    since: TimeParameter.optional().meta({
      description: 'Only rows since this date or time',
      minLength: 1,
      example: '2027-01-31T08:00:00Z',
    }),
    until: TimeParameter.optional().meta({
      description: 'Only rows up to the end of this date, or before this time',
      minLength: 1,
      example: '2027-02-01T08:00:00Z',
    }),
    type: text.max(64).optional(),
    person: text.max(255).optional().meta({ description: 'Only rows about this employee ID, or `caller:NAME`' }),
    name: text.trim().min(1).max(255).optional().meta({
      description:
        'Only rows about people whose current name has a word starting with each of these words (at most 20 people may match), or about the person with this employee ID',
      example: 'Ada Park',
    }),
    list: text.min(1).max(64).optional().meta({ description: 'Only changes to this list', example: 'position' }),
    q: text.trim().min(1).max(100).optional().meta({
      description:
        'Only rows in which each of these words is the beginning of some word. The search covers the row, the names of the people in it, and the old and new values of a list change. One request searches at most 2,000 rows. Follow the `prev` links until there is none, or the `next` links until `after` no longer grows',
      example: 'accountant',
    }),
    limit: numberParameter(1, 1000).default(100),
    after: rowId
      .optional()
      .meta({ description: 'Only rows after this one, oldest first; 0 for all rows', example: '42' }),
    before: rowId.optional().meta({ description: 'The newest rows before this one', example: '42' }),
  })
  .refine(({ after, before }) => after === undefined || before === undefined, {
    path: ['before'],
    message: 'must not be given together with "after"',
  });
export type AuditQuery = z.output<typeof AuditQuery>;
