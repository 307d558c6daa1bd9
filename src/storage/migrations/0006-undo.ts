import type { Kysely, Migration } from 'kysely';
import { wideInteger } from './engine.ts';

/** Which steps of the history were undone changes. Those before this column, and of older replicas, do not tell. */
export const undo: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('lookup_history').addColumn('restored_version', wideInteger(db)).execute();
  },
};
