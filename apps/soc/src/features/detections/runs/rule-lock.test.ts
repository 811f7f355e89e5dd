import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { RuleCreate } from '@manara/soc-contract/detections'
import { openDuckdbLogs } from '../../../adapters/duckdb-logs.ts'
import { openDatabase } from '../../../db/database.ts'
import { ruleRunning } from '../../../testing/rule-running.ts'
import { storedLog } from '../../../testing/stored-log.ts'
import { silentLog, testDatabase } from '../../../testing/test-postgres.ts'
import { createRule } from '../rules/create-rule.ts'
import { updateRule } from '../rules/update-rule.ts'
import { claimDueRules } from './due-rules.store.ts'
import { recordHits } from './record-hits.ts'

test('a rule can be changed, and taken for its run, while hits of it are recorded', async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'soc-lock-'))
  const logs = openDuckdbLogs({ directory, log: silentLog })
  const database = await openDatabase({ connection: await testDatabase(), log: silentLog })
  t.after(async () => {
    await logs.close()
    await database.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const running = ruleRunning({ database, logs })
  const checks = { isFieldMissing: () => false, now: Date.now }
  const rule = await running.internalWorkflow((change) =>
    createRule(checks, change, RuleCreate.parse({ name: 'A', query: '*', schedule_enabled: true })),
  )
  const isRaising = Promise.withResolvers<void>()
  const isDone = Promise.withResolvers<void>()
  const raising: typeof running.raising = {
    ...running.raising,
    async raiseAlert(...given) {
      isRaising.resolve()
      await isDone.promise
      return running.raising.raiseAlert(...given)
    },
  }
  const log = storedLog({ host: 'h' })
  const recording = running.internalWorkflow((change) =>
    recordHits(raising, change, {
      rule,
      hits: [{ log, members: [log.id] }],
      trigger: 'stream',
      now: Date.now(),
    }),
  )
  await isRaising.promise

  const changed = await running.internalWorkflow((change) =>
    updateRule(checks, change, rule.id, { description: 'changed meanwhile' }),
  )
  assert.equal(changed.version, rule.version + 1)
  const later = Date.now() + 3_600_000
  const lease = {
    token: '018f0000-0000-7000-8000-000000000000',
    now: later,
    until: later + 1,
  }
  const due = await claimDueRules(database.kysely, lease, 10)
  assert.deepEqual(
    due.map((one) => one.rule.id),
    [rule.id],
  )
  isDone.resolve()
  assert.equal((await recording).alertIds.length, 1)
})
