import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The life of an item, and the history of its list. */
export const keeping: Migration = {
  async up(db: Kysely<unknown>) {
    const columns = [
      ['labels', "text not null default '{}'"],
      ['status', "text not null default 'active' check (status in ('active', 'retired'))"],
      ['valid_from', 'text'],
      ['valid_to', 'text'],
      ['replaced_by', 'text'],
      ['retired_at', 'text'],
    ];
    for (const [name, type] of columns) {
      await sql.raw(`alter table lookup_item add column ${name} ${type}`).execute(db);
    }

    await db.schema
      .createTable('lookup_history')
      // Grows over all lists: the id of the event that tells of the change.
      .addColumn('seq', 'integer', (column) => column.primaryKey())
      .addColumn('list', 'text', (column) => column.notNull().references('lookup_list.name'))
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .addColumn('by', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('changes', 'text', (column) => column.notNull())
      .addUniqueConstraint('lookup_history_version', ['list', 'version'])
      .execute();

    // Whoever stored a value must find it again: it is never deleted, renamed or handed to another item.
    await refuse(db, 'lookup_item', 'delete', 'an item is retired, not deleted');
    await refuse(db, 'lookup_item', 'update of id, list, value', 'the value of an item does not change');
    await refuse(db, 'lookup_history', 'update', 'the history is append-only');
    await refuse(db, 'lookup_history', 'delete', 'the history is append-only');
    // "insert or replace" is neither an update nor a delete, and both.
    const item = 'exists (select 1 from lookup_item where id = new.id or (list = new.list and value = new.value))';
    await refuse(db, 'lookup_item', 'insert', 'an item is changed, not replaced', item);
    const step = 'exists (select 1 from lookup_history where seq = new.seq)';
    await refuse(db, 'lookup_history', 'insert', 'the history is append-only', step);
  },
};

async function refuse(db: Kysely<unknown>, table: string, change: string, message: string, when = '1'): Promise<void> {
  const name = `${table}_no_${change.split(' ')[0]}`;
  await sql
    .raw(
      `create trigger ${name} before ${change} on ${table} when ${when} begin select raise(abort, '${message}'); end`,
    )
    .execute(db);
}
