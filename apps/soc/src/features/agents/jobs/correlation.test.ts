import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../../db/database.ts'
import { silentLog, testDatabase } from '../../../testing/test-postgres.ts'
import type { Job, Run } from '../queue/agent-work.ts'
import { createCorrelation } from './correlation.ts'

const OUTSIDE = '203.0.113.9'

test('in a storm an alert is joined with those of its host, however many came between', async (t) => {
  const database = await openDatabase({ connection: await testDatabase(), log: silentLog })
  t.after(() => database.close())
  const db = database.kysely
  const write = async (title: string, minutesAgo: number, host: string, iocs: string[] = []) => {
    const { rows } = await sql<{ id: string }>`
      INSERT INTO alerts (id, title, source, severity, status, host, iocs, tags, mitre_techniques,
        dedup_hash, created_at)
      VALUES (gen_random_uuid(), ${title}, 'edr', 'high', 'new', ${host}, ${iocs}::text[], '{}', '{}',
        ${title}, now() - ${minutesAgo} * interval '1 minute')
      RETURNING id`.execute(db)
    return rows[0]?.id as string
  }
  const early = await write('Early on the host', 600, 'web-1')
  await write('Early elsewhere, same indicator', 600, 'db-1', [OUTSIDE])
  await write('A day before', 1_500, 'web-1')
  await sql`
    INSERT INTO alerts (id, title, source, severity, status, host, iocs, tags, mitre_techniques,
      dedup_hash, created_at)
    SELECT gen_random_uuid(), 'Port scan', 'ids', 'high', 'new', 'host-' || n, '{}', '{}', '{}',
      'storm ' || n, now() - interval '5 hours'
    FROM generate_series(1, 10010) AS n`.execute(db)
  const spelled = await write('Other spelling', 60, 'WEB-1')
  const elsewhere = await write('Elsewhere, same indicator', 60, 'mail-1', [OUTSIDE])
  const alert = await write('Now', 0, 'web-1', [OUTSIDE])

  const proposed: string[][] = []
  const run = {
    db,
    step() {},
    say() {},
    propose: ({ cites }: { cites: { alert_ids: string[] } }) => proposed.push(cites.alert_ids),
  } as unknown as Run
  await createCorrelation().run({ input: { alert_id: alert } } as unknown as Job, run)
  assert.deepEqual(
    proposed.map((ids) => ids.toSorted()),
    [[early, spelled, elsewhere, alert].toSorted()],
  )
})
