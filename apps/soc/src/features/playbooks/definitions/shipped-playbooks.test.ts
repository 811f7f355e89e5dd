import assert from 'node:assert/strict'
import { test } from 'node:test'
import { playbookRuns, statuses } from '../../../testing/playbook-runs.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'

test('shipped playbooks', async (t) => {
  const soc = await startTestSoc(t)
  const { call, run, over, reaches } = playbookRuns(soc, await soc.signIn())
  const raise = async (body: object): Promise<string> =>
    (await call('POST', '/alerts', { source: 'test', ...body })).body.id
  await t.test('triage-alert looks the indicator up and says what was found', async () => {
    await call('POST', '/iocs', { type: 'ip', value: '203.0.113.45', score: 90 })
    const sent = await call('POST', '/siem/logs', {
      events: [1, 2].map((n) => ({
        source: 'dns',
        host: `ws-${n}`,
        message: 'beacon to 203.0.113.45',
        timestamp: new Date().toISOString(),
      })),
    })
    assert.equal(sent.status, 200, JSON.stringify(sent.body))
    const alert_id = await raise({ title: 'Beacon', iocs: ['203.0.113.45'], severity: 'low' })
    const done = await run({ id: 'triage-alert' }, { alert_id })
    assert.equal(done.status, 'completed', JSON.stringify(done))
    assert.deepEqual(statuses(done), ['completed', 'completed', 'completed'])
    const { known, score, sightings, hosts } = done.steps[0]?.output ?? {}
    assert.deepEqual([known, score, sightings], [true, 90, 2])
    assert.deepEqual((hosts as string[]).sort(), ['ws-1', 'ws-2'])
    const { comments } = (await call('GET', `/cases/${done.case_id}`)).body
    assert.match(comments[0].body, /203\.0\.113\.45: score 90, seen 2 times/)
  })

  await t.test('triage-alert leaves a harmless alert alone', async () => {
    const done = await run({ id: 'triage-alert' }, { alert_id: await raise({ title: 'Nothing' }) })
    assert.deepEqual(statuses(done), ['skipped', 'skipped', 'skipped'])
  })

  await t.test('block-indicators blocks, and its rollback unblocks', async () => {
    const alert_id = await raise({ title: 'C2', iocs: ['evil.example', '198.51.100.9'] })
    const done = await run({ id: 'block-indicators' }, { alert_id })
    assert.equal(done.status, 'completed', JSON.stringify(done))
    const [id] = (done.steps[0]?.output?.indicator_ids ?? []) as string[]
    const read = async () => (await call('GET', `/iocs/${id}`)).body
    assert.equal((await read()).score, 90)
    await call('POST', `/soar/executions/${done.id}/rollback`)
    await reaches(done.id, ({ rollback }) => rollback === 'completed')
    assert.equal((await read()).revoked, true)
  })

  await t.test('phishing-response opens a case with the sender and the tasks', async () => {
    const done = await run(
      { id: 'phishing-response' },
      { parameters: { sender: 'a@evil.example' } },
    )
    assert.equal(done.status, 'completed', JSON.stringify(done))
    const opened = (await call('GET', `/cases/${done.case_id}`)).body
    assert.equal(opened.observables[0].value, 'a@evil.example')
    assert.equal(opened.tasks.length, 2)
  })

  await t.test(
    'contain-ransomware takes the case back when the host cannot be isolated',
    async () => {
      const alert_id = await raise({
        title: 'Ransom note',
        host: 'unknown-host',
        severity: 'critical',
      })
      const path = '/soar/playbooks/contain-ransomware/execute'
      const { approval_id } = (await call('POST', path, { alert_id })).body
      await call('POST', `/approvals/${approval_id}/decide`, { approved: true })
      const { body } = await call('POST', `${path}?approval_id=${approval_id}`, { alert_id })
      const done = await over(body.execution_id)
      assert.equal(done.status, 'failed')
      assert.equal(done.rollback, 'completed')
      assert.deepEqual(statuses(done).slice(0, 3), ['undone', 'failed', 'skipped'])
      assert.equal((await call('GET', `/alerts/${alert_id}`)).body.case_id, null)
    },
  )
})
