import assert from 'node:assert/strict'
import { test } from 'node:test'
import { playbookRuns } from '../../../testing/playbook-runs.ts'
import { startReferenceEdr } from '../../../testing/reference-edr.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

test('a machine that forwards the logs of others is not cut off in their place', async (t) => {
  const edr = await startReferenceEdr(t)
  const soc = await startTestSoc(t, { edr: edr.settings })
  const { call } = playbookRuns(soc, await soc.signIn())
  const endpoint = async () =>
    (await call('GET', '/edr/endpoints?hostname=fin-ws-07')).body.items[0]
  await until('the inventory', async () => (await endpoint()) !== undefined)
  const { id } = await endpoint()

  const typed = '{"collector":"file-01","Computer":"HR-PC-2","host":"file-02"}'
  const written = { host: 'web-1', message: typed, source: 'webapp' }
  const event = { host: 'FIN-WS-07', Computer: 'HR-PC-1', message: 'forwarded', source: 'windows' }
  await call('POST', '/siem/logs', { events: [written, event] })
  const { items } = (await call('GET', '/siem/logs?q=collector:fin-ws*')).body
  assert.partialDeepStrictEqual(items, [{ host: 'HR-PC-1', collector: 'FIN-WS-07' }])

  const execute = (playbook: string, parameters: object) =>
    call('POST', `/soar/playbooks/${playbook}/execute`, { parameters })
  await until('it is known', async () => {
    const { status } = await execute('isolate-host', { host: 'fin-ws-07' })
    return status === 409
  })
  const refused = await execute('isolate-host', { host: id })
  assert.equal(refused.status, 409)
  assert.match(refused.body.detail, /^fin-ws-07 forwards the logs of other machines/)
  const directly = await call('POST', `/edr/endpoints/${id}/isolate`, {})
  assert.deepEqual([directly.status, directly.body.detail], [409, refused.body.detail])
  assert.equal((await endpoint()).isolation, 'none')
  const known = await soc.query('SELECT name FROM log_collectors ORDER BY name')
  assert.deepEqual(known, [{ name: 'fin-ws-07' }, { name: 'web-1' }])

  const meant = await call('POST', `/edr/endpoints/${id}/isolate`, { even_if_collector: true })
  assert.equal(meant.status, 201, JSON.stringify(meant.body))

  await soc.query("UPDATE log_collectors SET last_seen_at = now() - interval '8 days'")
  const later = await execute('isolate-host', { host: 'fin-ws-07' })
  assert.notEqual(later.status, 409, 'it has not forwarded anything for a week')
})
