import assert from 'node:assert/strict'
import { test } from 'node:test'
import { playbookRuns, statuses } from '../../../testing/playbook-runs.ts'
import { startReferenceEdr } from '../../../testing/reference-edr.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

test('playbooks and the EDR', async (t) => {
  const edr = await startReferenceEdr(t)
  const soc = await startTestSoc(t, { edr: edr.settings })
  const { call, over, reaches } = playbookRuns(soc, await soc.signIn())
  const endpoint = async () =>
    (await call('GET', '/edr/endpoints?hostname=fin-ws-07')).body.items[0]
  await until('the inventory', async () => (await endpoint())?.isolation === 'none')
  const isolation = async () => (await endpoint())?.isolation
  const step = { id: 'isolate', action: 'edr_isolate', params: { endpoint: 'fin-ws-07' } }
  await call('POST', '/soar/playbooks', { id: 'again', name: 'Again', steps: [step] })

  await t.test(
    'contain-ransomware isolates through the EDR after its approval, and takes it back',
    async () => {
      const alert = await call('POST', '/alerts', {
        title: 'Ransom note written',
        source: 'edr',
        severity: 'critical',
        host: 'fin-ws-07',
        iocs: ['evil.example'],
      })
      const path = '/soar/playbooks/contain-ransomware/execute'
      const body = { alert_id: alert.body.id }
      const { approval_id } = (await call('POST', path, body)).body
      assert.deepEqual((await call('GET', `/approvals/${approval_id}`)).body.targets, [
        { step: 'isolate', action: 'edr_isolate', target: 'fin-ws-07' },
        {
          step: 'block',
          action: 'block_indicator',
          target: ['evil.example'],
          seen: [{ value: 'evil.example', hosts: 0, days: 0 }],
        },
        { step: 'scan', action: 'edr_scan', target: 'fin-ws-07' },
      ])
      await call('POST', `/approvals/${approval_id}/decide`, { approved: true })
      assert.equal(await isolation(), 'none')
      const started = await call('POST', `${path}?approval_id=${approval_id}`, body)
      const done = await over(started.body.execution_id)
      assert.equal(done.status, 'completed', JSON.stringify(done))
      assert.deepEqual(new Set(statuses(done)), new Set(['completed']))
      assert.equal(await isolation(), 'isolated')
      const { report_id } = done.steps.at(-1)?.output ?? {}
      const report = (await call('GET', `/reports/${report_id}`)).body
      assert.match(report.content, /Ransomware on fin-ws-07/)

      await call('POST', `/soar/executions/${done.id}/rollback`)
      const back = await reaches(done.id, ({ rollback }) => rollback !== 'pending')
      assert.equal(back.rollback, 'completed', JSON.stringify(back))
      await until('it is released', async () => (await isolation()) === 'none')
    },
  )

  await t.test('what was released by hand meanwhile is taken back already', async () => {
    const started = await call('POST', '/soar/playbooks/again/execute', {})
    const done = await over(started.body.execution_id)
    assert.equal(done.steps[0]?.output?.has_effect, true, JSON.stringify(done))
    await until('it is isolated', async () => (await isolation()) === 'isolated')
    await call('POST', '/edr/endpoints/fin-ws-07/unisolate')
    await until('it is released', async () => (await isolation()) === 'none')
    const ordered = await edr.stage()
    await call('POST', `/soar/executions/${done.id}/rollback`)
    const back = await reaches(done.id, ({ rollback }) => rollback !== 'pending')
    assert.equal(back.rollback, 'completed', JSON.stringify(back))
    assert.deepEqual(await edr.stage(), ordered)
    const again = await call('POST', '/edr/endpoints/fin-ws-07/unisolate')
    assert.equal(again.status, 409, 'a person is told')
  })

  await t.test(
    'a rollback takes back what a playbook ordered from the EDR, and nothing else',
    async () => {
      await call('POST', '/edr/endpoints/fin-ws-07/isolate', { reason: 'ransomware' })
      await until('it is isolated', async () => (await endpoint()).isolation === 'isolated')

      const started = await call('POST', '/soar/playbooks/again/execute', {})
      const done = await over(started.body.execution_id)
      assert.equal(done.status, 'completed', JSON.stringify(done))
      assert.equal(done.steps[0]?.output?.has_effect, false)
      await call('POST', `/soar/executions/${done.id}/rollback`)
      await reaches(done.id, ({ rollback }) => rollback !== 'pending')
      assert.equal((await endpoint()).isolation, 'isolated')

      // The laptop is offline: its isolation is ordered, and waits.
      const laptop = { ...step, params: { endpoint: 'laptop-11', wait_s: 600 } }
      await call('POST', '/soar/playbooks', { id: 'away', name: 'Away', steps: [laptop] })
      const away = (await call('POST', '/soar/playbooks/away/execute', {})).body.execution_id
      await reaches(away, ({ steps }) => steps[0]?.status === 'waiting')
      await call('POST', `/soar/executions/${away}/cancel`)
      const [ordered] = (await over(away)).steps
      assert.equal(ordered?.status, 'cancelled')
      assert.match(ordered.error ?? '', /was ordered already/)
      assert.equal((await call('POST', `/soar/executions/${away}/rollback`)).status, 200)
      const taken = await reaches(away, ({ rollback }) => rollback !== 'pending')
      assert.equal(taken.rollback, 'completed', JSON.stringify(taken))
      const receipt = await call('GET', `/edr/actions/${ordered.output?.action_id}`)
      assert.equal(receipt.body.status, 'cancelled')

      const action = {
        ...{ kind: 'endpoint_action', command: 'isolate', reason: 'again', hostname: 'fin-ws-07' },
        endpoint_id: (await endpoint()).id,
      }
      const alert = await call('POST', '/alerts', { title: 'a', source: 's', severity: 'high' })
      const proposal = { title: 'Isolate', action, cites: { alert_ids: [alert.body.id] } }
      const { id } = (await call('POST', '/agents/proposals', proposal)).body
      const manager = await soc.signInAs('manager')
      const decide = (verb: string) =>
        soc.call('POST', `/agents/proposals/${id}/${verb}`, { as: manager, body: {} })
      const accepted = await decide('accept')
      assert.equal(accepted.body.result?.has_effect, false, JSON.stringify(accepted.body))
      assert.equal((await decide('undo')).status, 409)
      assert.equal((await endpoint()).isolation, 'isolated')
    },
  )
})
