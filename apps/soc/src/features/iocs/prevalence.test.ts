import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../db/database.ts'
import { playbookRuns } from '../../testing/playbook-runs.ts'
import { silentLog } from '../../testing/test-postgres.ts'
import { startTestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

const DAY = 86_400_000

test('indicators and the hosts that have them', async (t) => {
  const soc = await startTestSoc(t)
  const { call, write, run, over } = playbookRuns(soc, await soc.signIn())

  await t.test('what several hosts have is not blocked by one person', async () => {
    const at = (days: number) => new Date(Date.now() - days * DAY).toISOString()
    const events = [
      { id: 'p-1', host: 'web-1', timestamp: at(0), message: 'to common.example' },
      { id: 'p-2', host: 'web-2', timestamp: at(1), message: 'to common.example' },
      { id: 'p-3', host: 'web-2', timestamp: at(1), message: 'to rare.example' },
      { id: 'p-4', host: 'web-3', timestamp: at(1), message: 'to notcommon.example.org' },
      { id: 'p-5', host: 'web-1', timestamp: at(1), message: 'dns', answers: ['198.51.100.7'] },
      { id: 'p-6', host: 'web-2', timestamp: at(1), message: 'dns', answers: ['198.51.100.8'] },
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
    const network = (await block('198.51.100.0/24')).body
    assert.equal(network.requires_approval, true, 'a network in whatever field')
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

  await t.test('what an earlier step finds is not blocked by one person either', async (t) => {
    const parameters = { value: { type: 'string' } }
    const find = { id: 'find', action: 'enrich_indicator', params: { value: '{{ params.value }}' } }
    const block = (value: unknown) => ({
      id: 'block',
      action: 'block_indicator',
      params: { value },
    })

    await t.test('it waits, and the approver is told why', async () => {
      const steps = [find, block(['{{ steps.find.output.value }}'])]
      const { id } = await write({ description: 'Blocks.', parameters, steps })
      const path = `/soar/playbooks/${id}/execute`
      const asked = (await call('POST', path, { parameters: { value: 'found.example' } })).body
      assert.equal(asked.status, 'pending_approval', JSON.stringify(asked))
      assert.match(asked.message, / blocks what several hosts have or may have /)
      const approval = (await call('GET', `/approvals/${asked.approval_id}`)).body
      assert.deepEqual(approval.targets, [])
      assert.equal(
        approval.justification,
        'Blocks. What block will block is not known yet, so it cannot be found out how many hosts have it.',
      )
      await call('POST', `/approvals/${asked.approval_id}/decide`, { approved: true })
      const { body } = await call('POST', `${path}?approval_id=${asked.approval_id}`)
      const done = await over(body.execution_id)
      assert.deepEqual(done.steps[1]?.output?.values, ['found.example'], JSON.stringify(done))
    })

    await t.test('so does what the case says that an earlier step opens', async () => {
      const open = { id: 'open', action: 'create_case', params: { title: 'evil.example' } }
      const { id } = await write({ steps: [open, block('{{ case.title }}')] })
      const asked = await call('POST', `/soar/playbooks/${id}/execute`, {})
      assert.equal(asked.body.status, 'pending_approval')
    })

    await t.test('what nobody gave needs no approval: it fails and says so', async () => {
      const done = await run(await write({ parameters, steps: [block('{{ params.value }}')] }))
      assert.match(done.error ?? '', /has no value/)
      const either = block('{{ params.value ?? alert.iocs }}')
      assert.match(
        (await run(await write({ parameters, steps: [either] }))).error ?? '',
        /no value/,
      )
    })

    await t.test('a rehearsal blocks nothing and waits for nobody', async () => {
      const playbook = await write({
        steps: [
          { ...find, params: { value: 'found.example' } },
          block('{{ steps.find.output.value }}'),
        ],
      })
      assert.equal((await run(playbook, { dry_run: true })).status, 'completed')
    })
  })

  await t.test('indicators added to a restored database are looked for', async (t) => {
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
})
