import type { Kysely, Migration } from 'kysely';

/** What a list has beside its title and items. Older replicas ignore it and leave it as it is. */
export const listSettings: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of ['description', 'readers', 'keepers']) {
      await db.schema.alterTable('lookup_list').addColumn(column, 'text').execute();
    }
    await db.schema
      .alterTable('lookup_list')
      .addColumn('archived', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
