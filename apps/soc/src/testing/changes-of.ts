import type { TestContext } from 'node:test'
import type { PoolConfig } from 'pg'
import { createOperatorChange } from '../core/change/operator-change.ts'
import { modeOf } from '../core/mode/mode.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { silentLog } from './test-postgres.ts'

/** What changes the records of a database, without a service around it: nobody hears of it. */
export const changesOf = (database: Database) =>
  createOperatorChange({
    database,
    mode: modeOf('real'),
    recordAudit: async () => {},
    wake: () => {},
  })

/** The same of a database that is opened for it. */
export async function openChanges(t: TestContext, connection: PoolConfig) {
  const database = await openDatabase({ connection, log: silentLog })
  t.after(() => database.close())
  return { database, ...changesOf(database) }
}
