import type { Migration } from 'kysely';
import { type Kysely, sql } from 'kysely';
import { wideInteger } from './engine.ts';

export const start: Migration = {
  async up(db: Kysely<unknown>) {
    const number = wideInteger(db);
    await db.schema
      .createTable('person')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('issuer', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('employee_id', 'text', (column) => column.notNull().unique())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('given_name', 'text', (column) => column.notNull())
      .addColumn('middle_name', 'text')
      .addColumn('family_name', 'text', (column) => column.notNull())
      .addColumn('picture', 'text')
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('email_verified', 'integer', (column) => column.notNull().check(sql`email_verified in (0, 1)`))
      .addColumn('phone_number', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('last_login_at', 'text', (column) => column.notNull())
      .addUniqueConstraint('person_at_provider', ['issuer', 'subject'])
      .execute();

    await db.schema
      .createTable('session')
      .addColumn('sid', 'text', (column) => column.primaryKey())
      .addColumn('person_id', 'text', (column) => column.notNull().references('person.id'))
      .addColumn('roles', 'text', (column) => column.notNull())
      .addColumn('provider_sid', 'text')
      .addColumn('opened_at', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .addColumn('ended_at', 'text')
      .execute();
    await db.schema.createIndex('session_expires_at').on('session').column('expires_at').execute();

    await db.schema
      .createTable('used_code')
      .addColumn('code_hash', 'text', (column) => column.primaryKey())
      .addColumn('used_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('used_code_used_at').on('used_code').column('used_at').execute();

    await db.schema
      .createTable('signing_key')
      .addColumn('kid', 'text', (column) => column.primaryKey())
      .addColumn('alg', 'text', (column) => column.notNull())
      .addColumn('public_key', 'text', (column) => column.notNull())
      .addColumn('private_key', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) =>
        column.notNull().check(sql`state in ('pending', 'active', 'retiring', 'removed')`),
      )
      .addColumn('created_at', 'text', (column) => column.notNull())
      .execute();
    // Only one key signs, however many processes start at the same time.
    await db.schema
      .createIndex('signing_key_one_active')
      .on('signing_key')
      .column('state')
      .unique()
      .where(sql.ref('state'), '=', sql.lit('active'))
      .execute();

    await db.schema
      .createTable('lookup_list')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('version', number, (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('lookup_item')
      .addColumn('id', number, (column) => column.primaryKey())
      .addColumn('list', 'text', (column) => column.notNull().references('lookup_list.name'))
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('label', 'text', (column) => column.notNull())
      .addColumn('sort_order', number, (column) => column.notNull())
      .addUniqueConstraint('lookup_item_value', ['list', 'value'])
      .execute();
  },
};
