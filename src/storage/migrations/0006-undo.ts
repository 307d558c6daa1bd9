import type { Kysely, Migration } from 'kysely';
import { wideInteger } from './engine.ts';

/** Which steps of the history are undos. Null in steps written before this column existed, or by older replicas. */
export const undo: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('lookup_history').addColumn('restored_version', wideInteger(db)).execute();
  },
};
