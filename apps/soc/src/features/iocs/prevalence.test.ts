import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../db/database.ts'
import { playbookRuns } from '../../testing/playbook-runs.ts'
import { silentLog } from '../../testing/test-postgres.ts'
import { startTestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

const DAY = 86_400_000

test('what several hosts have is not blocked by one person', async (t) => {
  const soc = await startTestSoc(t)
  const { call } = playbookRuns(soc, await soc.signIn())
  const at = (days: number) => new Date(Date.now() - days * DAY).toISOString()
  const events = [
    { id: 'p-1', host: 'web-1', timestamp: at(0), message: 'to common.example' },
    { id: 'p-2', host: 'web-2', timestamp: at(1), message: 'to common.example' },
    { id: 'p-3', host: 'web-2', timestamp: at(1), message: 'to rare.example' },
    { id: 'p-4', host: 'web-3', timestamp: at(1), message: 'to notcommon.example.org' },
  ]
  await call('POST', '/siem/logs', { events })

  const { body } = await call('GET', '/iocs/prevalence?value=common[.]example')
  assert.partialDeepStrictEqual(body, {
    type: 'domain',
    value: 'common.example',
    hosts: 2,
    days: 2,
    events: 2,
    partial: false,
  })
  assert.equal((await call('GET', '/iocs/prevalence?value=no%20such')).status, 400)

  const block = (value: string) =>
    call('POST', '/soar/playbooks/block-indicators/execute', { parameters: { value } })
  assert.equal((await block('rare.example')).body.requires_approval, false)
  const asked = (await block('common.example')).body
  assert.deepEqual([asked.status, asked.requires_approval], ['pending_approval', true])
  const approval = (await call('GET', `/approvals/${asked.approval_id}`)).body
  assert.deepEqual(approval.targets, [
    {
      step: 'block',
      action: 'block_indicator',
      target: 'common.example',
      seen: [{ value: 'common.example', hosts: 2, days: 2 }],
    },
  ])
})

test('indicators added to a restored database are looked for', async (t) => {
  const soc = await startTestSoc(t)
  const { call } = playbookRuns(soc, await soc.signIn())
  const database = await openDatabase({ connection: soc.connection, log: silentLog })
  t.after(() => database.close())
  await call('POST', '/siem/logs', { events: [{ id: 'r-1', message: 'to old.example' }] })
  // The numbers come from a cluster that had done more.
  await sql`UPDATE ioc_lookback SET done_xid = '999999999'`.execute(database.kysely)
  const { id } = (await call('POST', '/iocs', { value: 'old.example', score: 60 })).body
  await until('it was found', async () => {
    const { body } = await call('GET', `/iocs/${id}`)
    return body.sightings === 1 && body.lookback === 'done'
  })
})
