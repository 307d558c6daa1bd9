import type { Kysely, Migration } from 'kysely';
import { isPostgres } from './engine.ts';
import { createOwnerFunction } from './owner-function.ts';

/** How old rows of the audit are removed. */
export const retention: Migration = {
  async up(db: Kysely<unknown>) {
    // To find the last seal before a row.
    await db.schema.createIndex('audit_seal_last').unique().on('audit_seal').column('last').execute();
    if (!isPostgres(db)) return;
    await createOwnerFunction(db, {
      name: 'audit_remove',
      parameters: 'from_row bigint, to_row bigint, of_seal bigint',
      body: removeInPostgres,
    });
  },
};

/**
 * Nothing but the oldest rows, and only sealed ones. None of the last day, by the clock of the server: whoever breaks into the
 * service's account cannot remove what shows it.
 */
const removeInPostgres = `
  begin
    if not exists (select from audit_seal where number = of_seal and last = to_row)
      or from_row is distinct from (select min(seq) from audit)
      or exists (select from audit where seq between from_row and to_row
        and at || '' >= to_char(now() at time zone 'UTC' - interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) then
      raise 'not a removal';
    end if;
    insert into audit_pass (allowed) values ('delete audit');
    delete from audit where seq between from_row and to_row;
    delete from audit_pass where xact = pg_current_xact_id();
  end`;
