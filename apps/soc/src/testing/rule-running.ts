import assert from 'node:assert/strict'
import { createOperatorChange } from '../core/change/operator-change.ts'
import { modeOf } from '../core/mode/mode.ts'
import type { Database } from '../db/database.ts'
import { openAlertOf, openCaseOf } from '../features/alerts/alerts-of-rule.ts'
import { raiseAlert } from '../features/alerts/raise-alert.ts'
import type { LogStore } from '../ports/log-store.ts'

/** What running rules needs, on engines of the test's own, without the rest of the service. */
export function ruleRunning(deps: {
  database: Database
  logs: LogStore
  now?: () => number
  hitCap?: number
}) {
  const { database, logs, now = Date.now, hitCap = 100_000 } = deps
  const changes = createOperatorChange({
    database,
    mode: modeOf('real'),
    recordAudit: async () => {},
    wake() {},
  })
  const raising = {
    raiseAlert: raiseAlert.bind(undefined, async () => {}),
    openAlertOf,
    openCaseOf,
    openCase: async () => assert.fail('no case is asked for'),
    linkAlert: async () => assert.fail('no case is asked for'),
  }
  return { db: database.kysely, logs, raising, now, hitCap, ...changes }
}
