import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Principal } from '../../../../core/identity/principal.ts'
import { createDatabase } from '../../../../db/database.ts'
import { changesOf } from '../../../../testing/changes-of.ts'
import { silentLog, testDatabase } from '../../../../testing/test-postgres.ts'
import { until } from '../../../../testing/until.ts'
import { createInvestigations } from './investigations.ts'

const ANALYST: Principal = {
  username: 'mona',
  role: 'analyst',
  permissions: new Set(),
  kind: 'user',
}

/** Two processes on one database; their work goes on until it is stopped. */
test('a cancel reaches the work in this process and in another; a stop hands it over', async (t) => {
  const database = createDatabase({ connection: await testDatabase(), log: silentLog })
  t.after(() => database.close())
  await database.start()
  const { internalWorkflow } = changesOf(database)
  const begun: string[] = []
  const processOf = (name: string, leaseMs = 300) =>
    createInvestigations({
      db: database.kysely,
      isReady: () => true,
      log: silentLog,
      ...{ leaseMs, internalWorkflow },
      async run({ alert_context }, { signal }) {
        begun.push(`${name} ${alert_context}`)
        await once(signal, 'abort')
        throw signal.reason
      },
    })
  const first = processOf('first')
  const second = processOf('second', 3_600_000)

  const own = await first.start({ alert_context: 'one', has_cps_assets: false }, ANALYST)
  assert.equal((await first.cancel(own.id, ANALYST)).status, 'cancelled')
  await own.ended
  assert.equal((await first.read(own.id)).status, 'cancelled')

  const other = await first.start({ alert_context: 'two', has_cps_assets: false }, ANALYST)
  await second.cancel(other.id, ANALYST)
  await other.ended

  const left = await first.start({ alert_context: 'three', has_cps_assets: false }, ANALYST)
  await first.stop()
  await left.ended
  assert.equal((await second.read(left.id)).status, 'running')
  second.begin()
  await until('the other takes it up', () => begun.includes('second three'))
  assert.equal((await second.read(left.id)).attempts, 2)

  // As after a sleep of the machine: its lease is over, and it goes on.
  await sql`UPDATE investigations SET lease_until = now() - interval '1 s'`.execute(database.kysely)
  const third = processOf('third')
  await third.start({ alert_context: 'four', has_cps_assets: false }, ANALYST)
  await third.stop()
  second.begin()
  await until('it takes up what is abandoned', () => begun.includes('second four'))
  assert.equal(begun.filter((one) => one === 'second three').length, 1)
  assert.equal((await second.read(left.id)).attempts, 2)
  await second.stop()
})
