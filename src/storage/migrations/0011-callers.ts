import type { Migration } from 'kysely';
import { type Kysely, sql } from 'kysely';

/** Programs that get access tokens at POST /auth/token. */
export const callers: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('caller')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('issuer', 'text')
      .addColumn('subject', 'text')
      .addColumn('audience', 'text')
      .addColumn('jwks_uri', 'text')
      .addColumn('keys', 'text')
      .addColumn('roles', 'text', (column) => column.notNull())
      .addColumn('added_at', 'text', (column) => column.notNull())
      .addColumn('removed_at', 'text')
      .execute();
    // A name, and an account of an issuer, may be registered again once they were removed.
    const unique = [
      ['caller_name', ['name']],
      ['caller_at_issuer', ['issuer', 'subject']],
    ] as const;
    for (const [index, columns] of unique) {
      await db.schema
        .createIndex(index)
        .on('caller')
        .columns([...columns])
        .unique()
        .where(sql.ref('removed_at'), 'is', null)
        .execute();
    }
  },
};
