import type { Migration } from 'kysely';
import { type Kysely, sql } from 'kysely';

/** What an item is beyond its label. Items that older replicas add have none of it. */
export const itemFields: Migration = {
  async up(db: Kysely<unknown>) {
    const columns = [
      ['codes', "text not null default '{}'"],
      ['tags', "text not null default '[]'"],
      ['description', 'text'],
      ['parents', "text not null default '{}'"],
    ];
    for (const [name, type] of columns) {
      await sql.raw(`alter table lookup_item add column ${name} ${type}`).execute(db);
    }
  },
};
