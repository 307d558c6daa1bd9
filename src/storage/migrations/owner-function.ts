import { type Kysely, sql } from 'kysely';

interface OwnerFunction {
  name: string;
  /** As SQL has them: `rows jsonb`. */
  parameters: string;
  /** PL/pgSQL. */
  body: string;
}

/**
 * PostgreSQL: a function that does one fixed thing with the rights of the tables' owner. Only those may call it who may write to
 * the audit: the account of the service, where that is another than the owner.
 */
export async function createOwnerFunction(db: Kysely<unknown>, { name, parameters, body }: OwnerFunction) {
  const declaration = `function ${name}(${parameters})`;
  await sql.raw(`create ${declaration} returns void ${await withOwnersRights(db)} as $$ ${body} $$`).execute(db);
  await sql.raw(`revoke all on ${declaration} from public`).execute(db);
  await grantToWriters(db, `execute on ${declaration}`);
}

/** With a fixed search path, its temporary tables last: whoever calls it cannot put a table of their own in place of ours. */
export async function withOwnersRights(db: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{ schema: string }>`select quote_ident(current_schema()) as schema`.execute(db);
  return `language plpgsql security definer set search_path = pg_catalog, ${rows[0]?.schema}, pg_temp`;
}

/** To every account that may add rows to the audit. */
export async function grantToWriters(db: Kysely<unknown>, privilege: string): Promise<void> {
  const { rows } = await sql<{ grantee: string }>`
    select grantee::regrole::text as grantee
    from pg_class, aclexplode(relacl) where oid = 'audit'::regclass and privilege_type = 'INSERT'
      and grantee not in (0, relowner)`.execute(db);
  for (const { grantee } of rows) await sql.raw(`grant ${privilege} to ${grantee}`).execute(db);
}

/** From everybody but the owner. Default privileges may have given them some. */
export async function revokeFromOthers(db: Kysely<unknown>, table: string): Promise<void> {
  await sql.raw(`revoke all on ${table} from public`).execute(db);
  const { rows } = await sql<{ grantee: string }>`
    select distinct grantee::regrole::text as grantee
    from pg_class, aclexplode(relacl) where oid = ${table}::regclass and grantee not in (0, relowner)`.execute(db);
  for (const { grantee } of rows) await sql.raw(`revoke all on ${table} from ${grantee}`).execute(db);
}
