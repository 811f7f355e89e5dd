import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { emptySchema } from '../../testing/empty-schema.ts'

test('assignees from before are spelled as their user does, others as they were', async (t) => {
  const { db, migrateTo } = await emptySchema(t)
  await migrateTo((name) => name < '283')
  await sql`INSERT INTO users (username, password_hash, role) VALUES ('Leila', '', 'analyst')`.execute(
    db,
  )
  for (const assignee of ['LEILA', 'Leila', 'Nobody', null]) {
    await sql`INSERT INTO alerts (id, title, source, severity, status, iocs, tags,
        mitre_techniques, dedup_hash, assignee)
      VALUES (gen_random_uuid(), 't', 's', 'low', 'new', '{}', '{}', '{}',
        coalesce(${assignee}::text, ''), ${assignee})`.execute(db)
    await sql`WITH made AS (
        INSERT INTO cases (id, title, status, severity, created_by, assignee)
        VALUES (gen_random_uuid(), 't', 'open', 'low', 'x', ${assignee}) RETURNING id, assignee)
      INSERT INTO case_tasks (id, case_id, title, status, created_by, assignee)
      SELECT id, id, 't', 'todo', 'x', assignee FROM made`.execute(db)
  }
  await migrateTo(() => true)
  for (const table of ['alerts', 'cases', 'case_tasks']) {
    const { rows } = await sql<{ assignee: string | null }>`
      SELECT assignee FROM ${sql.table(table)} ORDER BY assignee COLLATE "C"`.execute(db)
    assert.deepEqual(
      rows.map(({ assignee }) => assignee),
      ['Leila', 'Leila', 'Nobody', null],
      table,
    )
  }
})
