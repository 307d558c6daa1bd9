import { z } from '@hono/zod-openapi';

export const LookupItem = z
  .strictObject({
    id: z.int().openapi({ description: 'Internal identifier. Clients must not use it' }),
    label: z.string().openapi({ description: 'Human-readable text for display', example: 'Accountant' }),
    value: z.string().openapi({ description: 'Machine-readable value, for storing', example: 'ACCOUNTANT' }),
    sortOrder: z.int().openapi({ description: 'Display order', example: 120 }),
  })
  .openapi('LookupItem');
export type LookupItem = z.infer<typeof LookupItem>;

export const LookupList = z.array(LookupItem).openapi('LookupList');

export const listName = z
  .string()
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
  .max(64);

/** A file of lists, as it stands in `lookups/`. */
export const LookupDocument = z.strictObject({
  lists: z.record(
    listName,
    z.strictObject({
      title: z.string().min(1).max(200),
      items: z.array(
        z.strictObject({
          value: z
            .string()
            .regex(/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/)
            .max(64),
          label: z.string().min(1).max(200),
          sortOrder: z.int(),
        }),
      ),
    }),
  ),
});
export type LookupDocument = z.infer<typeof LookupDocument>;
