import assert from 'node:assert/strict'
import { test } from 'node:test'
import { severablePostgres } from '../../../testing/severable-postgres.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'

test('dummy without a database shows the logs and hunts of the story', async (t) => {
  const line = await severablePostgres(t)
  await line.cut()
  const soc = await startTestSoc(t, { mode: 'dummy', connection: line.connection })
  const as = await soc.signIn()
  const get = async (path: string) => (await soc.call('GET', path, { as })).body

  const page = await get('/siem/logs?limit=2')
  assert.equal(page.total, 7)
  const next = await get(`/siem/logs?limit=2&cursor=${page.next_cursor}`)
  const times = [...page.items, ...next.items].map(({ timestamp }) => timestamp)
  assert.equal(new Set(times).size, 4)
  assert.deepEqual(times, times.toSorted().reverse())

  const found = await get('/siem/logs?q=process:powershell*')
  assert.equal(found.items.length, 1)
  const { id } = found.items[0]
  assert.equal((await get(`/siem/logs/${id}`)).host, 'fin-ws-07')
  assert.equal((await get('/siem/export?severity=critical')).trimEnd().split('\n').length, 2)

  const day = 'from=2026-03-02T00:00:00Z&to=2026-03-03T00:00:00Z'
  const { buckets } = await get(`/siem/histogram?${day}&bucket_s=3600&by=severity`)
  assert.deepEqual(buckets[8].counts, { critical: 2, medium: 1 })
  const { items: fields } = await get('/siem/fields?source=modbus')
  assert.ok(fields.some(({ name }: { name: string }) => name === 'function'))
  const { items: hosts } = await get('/siem/fields/host/values?limit=1')
  assert.deepEqual(hosts, [{ value: 'fin-ws-07', count: 3 }])
  assert.equal((await get('/siem/sources')).items[0].source, 'modbus')

  const { items: hunts } = await get('/siem/hunts')
  assert.equal(hunts.length, 3)
  for (const hunt of hunts) {
    const { body } = await soc.call('POST', `/siem/hunts/${hunt.id}/run`, { as })
    assert.equal(body.total, hunt.last_match_count, hunt.title)
    assert.equal(body.run, null)
  }
  assert.equal((await get(`/siem/hunts/${hunts[0].id}/runs`)).total, 0)
  const promoted = await soc.call('POST', `/siem/logs/${id}/promote`, { as })
  assert.equal(promoted.status, 409)
})
