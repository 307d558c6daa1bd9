import type { Migration } from 'kysely';
import { type Kysely, sql } from 'kysely';
import { wideInteger } from './engine.ts';
import { refuse, refuseReplacing } from './refuse.ts';

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
      // Increases over all lists: the id of the event for the change.
      .addColumn('seq', wideInteger(db), (column) => column.primaryKey())
      .addColumn('list', 'text', (column) => column.notNull().references('lookup_list.name'))
      .addColumn('version', wideInteger(db), (column) => column.notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .addColumn('by', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('changes', 'text', (column) => column.notNull())
      .addUniqueConstraint('lookup_history_version', ['list', 'version'])
      .execute();

    // A value that applications have stored stays valid: it is never deleted, renamed or given to another item.
    const items = 'lookup_item';
    await refuse(db, { table: items, change: 'delete', message: 'an item is retired, not deleted' });
    await refuse(db, {
      table: items,
      change: 'update of id, list, value',
      message: 'the value of an item does not change',
    });
    const sameItem = 'id = new.id or (list = new.list and value = new.value)';
    await refuseReplacing(db, items, sameItem, 'an item is changed, not replaced');
    const message = 'the history is append-only';
    await refuse(db, { table: 'lookup_history', change: 'update', message });
    await refuse(db, { table: 'lookup_history', change: 'delete', message });
    const sameStep = 'seq = new.seq or (list = new.list and version = new.version)';
    await refuseReplacing(db, 'lookup_history', sameStep, message);
  },
};
