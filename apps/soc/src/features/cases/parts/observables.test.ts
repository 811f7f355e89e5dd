import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Observable } from '@manara/soc-contract/cases'
import { startTestSoc } from '../../../testing/test-soc.ts'

test('observables of a case', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const call = (method: string, path: string, body?: unknown) =>
    soc.call(method, path, { as, body })
  const alert = await call('POST', '/alerts', {
    title: 'Beacon',
    source: 'ids',
    severity: 'high',
    iocs: ['203.0.113.7', 'evil.example', 'a'.repeat(64)],
  })
  const { body: promoted } = await call('POST', `/alerts/${alert.body.id}/promote`, {})
  const path = `/cases/${promoted.id}/observables`
  const listed = async (): Promise<Observable[]> => (await call('GET', path)).body.items

  await t.test('promote brings those of the alert along', async () => {
    assert.deepEqual(
      (await listed()).map(({ type, value }) => [type, value]),
      [
        ['ip', '203.0.113.7'],
        ['sha256', 'a'.repeat(64)],
        ['domain', 'evil.example'],
      ],
    )
    assert.equal(promoted.observables.length, 3)
    assert.deepEqual((await listed())[0]?.context, { alert_id: alert.body.id })
  })

  await t.test('the same again is one, with what is new about it', async () => {
    const again = { type: 'Domain', value: 'EVIL.example', tags: ['c2'] }
    const { status, body } = await call('POST', path, again)
    assert.deepEqual([status, body.value, body.tags], [200, 'evil.example', ['c2']])
    assert.equal((await listed()).length, 3)
    const host = { type: 'hostname', value: 'web-1' }
    await call('POST', path, { ...host, tags: ['dmz', 'dmz'] })
    const tagged = await call('POST', path, { ...host, tags: ['beacon'] })
    assert.deepEqual(tagged.body.tags, ['dmz', 'beacon'])
    await call('DELETE', `${path}/${tagged.body.id}`)
  })

  await t.test('PATCH and DELETE', async () => {
    const [first, second] = await listed()
    const one = `${path}/${first?.id}`
    const changed = await call('PATCH', one, { value: '203.0.113.8', tags: ['seen'] })
    assert.deepEqual(
      [changed.status, changed.body.value, changed.body.tags],
      [200, '203.0.113.8', ['seen']],
    )
    const timeline = async () => (await call('GET', `/cases/${promoted.id}`)).body.timeline
    const told = await timeline()
    // As it is already: no second line in the timeline.
    assert.deepEqual((await call('PATCH', one, { tags: ['seen'] })).body, changed.body)
    assert.deepEqual(await timeline(), told)
    const taken = { type: second?.type, value: second?.value }
    assert.equal((await call('PATCH', one, taken)).status, 409)
    assert.equal((await call('PATCH', one, { wrong: 1 })).status, 400)
    assert.deepEqual((await call('DELETE', one)).body, { deleted: true, id: first?.id })
    assert.equal((await call('DELETE', one)).status, 404)
    assert.equal((await call('PATCH', one, {})).status, 404)
    assert.equal((await listed()).length, 2)
  })

  await t.test('a merged case takes the highest severity', async () => {
    const low = (await call('POST', '/cases', { title: 'Low', severity: 'low' })).body
    const merged = await call('POST', `/cases/${low.id}/merge`, { case_ids: [promoted.id] })
    assert.equal(merged.body.severity, 'high')
    const { timeline } = (await call('GET', `/cases/${low.id}`)).body
    assert.ok(
      timeline.some(({ action }: { action: string }) => /^severity low → high/.test(action)),
    )
  })
})
