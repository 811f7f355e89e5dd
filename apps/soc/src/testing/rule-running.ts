import assert from 'node:assert/strict'
import type { Database } from '../db/database.ts'
import { openAlertOf, openCaseOf } from '../features/alerts/alerts-of-rule.ts'
import { raiseAlert } from '../features/alerts/raise-alert.ts'
import type { LogStore } from '../ports/log-store.ts'
import { changesOf } from './changes-of.ts'

/** What running rules needs, on engines of the test's own, without the rest of the service. */
export function ruleRunning(deps: {
  database: Database
  logs: LogStore
  now?: () => number
  hitCap?: number
}) {
  const { database, logs, now = Date.now, hitCap = 100_000 } = deps
  const changes = changesOf(database)
  const raising = {
    raiseAlert: raiseAlert.bind(undefined, async () => {}),
    openAlertOf,
    openCaseOf,
    openCase: async () => assert.fail('no case is asked for'),
    linkAlert: async () => assert.fail('no case is asked for'),
  }
  return { db: database.kysely, logs, raising, now, hitCap, ...changes }
}
