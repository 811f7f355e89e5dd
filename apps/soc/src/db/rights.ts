import type { Logger } from '@manara/kit/logging'
import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** What only grows: the service adds to them, and has no right to change or remove. */
const ONLY_GROW = [
  'audit_log',
  'audit_subtrees',
  'evidence_ledger',
  'evidence',
  'playbook_revisions',
  'account_changes',
]

const LOCK = 7_219_440_017

/** Everything the service does, and nothing that it never has to. */
export async function grantRights(owner: Kysely<Tables>, service: string): Promise<void> {
  if (service === (await roleOf(owner))) return
  const role = sql.id(service)
  await owner.transaction().execute(async (tx) => {
    // Two services that start at once would trip over each other in the catalogue.
    await sql`SELECT pg_advisory_xact_lock(${LOCK})`.execute(tx)
    await sql`GRANT USAGE ON SCHEMA public TO ${role}`.execute(tx)
    await sql`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`.execute(
      tx,
    )
    await sql`GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role}`.execute(tx)
    for (const table of ONLY_GROW) {
      await sql`REVOKE UPDATE, DELETE, TRUNCATE ON ${sql.table(table)} FROM ${role}`.execute(tx)
    }
    // Evidence moves; what was registered of it does not change.
    await sql`GRANT UPDATE (location) ON evidence TO ${role}`.execute(tx)
  })
}

export async function roleOf(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ name: string }>`SELECT current_user::text AS name`.execute(db)
  return rows[0]?.name ?? ''
}

/** Whoever breaks into the service has its rights: when they are too large, that is told. */
export async function warnOfRights(db: Kysely<Tables>, log: Logger): Promise<void> {
  const { rows } = await sql<{ rolsuper: boolean; owns: boolean }>`
    SELECT rolsuper, pg_has_role(current_user, relowner, 'MEMBER') AS owns
    FROM pg_roles, pg_class
    WHERE rolname = current_user AND pg_class.oid = 'audit_log'::regclass`.execute(db)
  const [rights] = rows
  if (!rights?.rolsuper && !rights?.owns) return
  log.warn(
    { superuser: rights.rolsuper },
    'the role of DATABASE_URL can change the audit log and the evidence: let another role own the schema, and name it in DATABASE_OWNER_URL',
  )
}
