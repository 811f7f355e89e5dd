import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../testing/test-soc.ts'
import { mergeEqual } from './domain/merge-equal.ts'

const alert = (title: string, more: object = {}) => ({ title, source: 'edr', iocs: [], ...more })

test('alerts that come together', async (t) => {
  const soc = await startTestSoc(t)
  const [kim, lee] = [await soc.signInAs('analyst', 'kim'), await soc.signInAs('analyst', 'lee')]
  const post = (body: unknown, as = kim) => soc.call('POST', '/alerts', { as, body })
  const audited = async (id: string) => {
    const as = await soc.signIn()
    const { body } = await soc.call('GET', `/audit?target=alert:${id}&limit=200`, { as })
    return (body.items as { action: string; actor: string }[]).map(
      ({ action, actor }) => `${action} ${actor}`,
    )
  }

  await t.test('different ones are stored each, with their caller in the audit log', async () => {
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, at) => post(alert(`other ${at}`), at % 2 ? lee : kim)),
    )
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
    assert.equal(new Set(replies.map(({ body }) => body.id)).size, 60)
    for (const [at, { body }] of replies.entries()) assert.equal(body.title, `other ${at}`)
    assert.deepEqual(await audited(replies[0]?.body.id), ['alert.create kim'])
    assert.deepEqual(await audited(replies[1]?.body.id), ['alert.create lee'])
  })

  await t.test('the same one is one record, and every caller is counted once', async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, () => post(alert('same'))))
    assert.equal(replies.filter(({ status }) => status === 201).length, 1)
    const counts = replies.map(({ body }) => body.occurrence_count as number)
    assert.deepEqual(
      counts.toSorted((a, b) => a - b),
      Array.from({ length: 40 }, (_, at) => at + 1),
    )
    const actions = await audited(replies[0]?.body.id)
    assert.equal(actions.filter((one) => one === 'alert.create kim').length, 1)
    assert.equal(actions.filter((one) => one === 'alert.repeat kim').length, 39)
  })

  await t.test('a settled one is open again once', async () => {
    const { body } = await post(alert('comes again'))
    await soc.call('PATCH', `/alerts/${body.id}`, { as: kim, body: { status: 'closed' } })
    const replies = await Promise.all(Array.from({ length: 10 }, () => post(alert('comes again'))))
    for (const reply of replies) assert.equal(reply.body.status, 'new')
    const actions = await audited(body.id)
    assert.equal(actions.filter((one) => one.startsWith('alert.reopen')).length, 1)
  })
})

test('equal alerts are merged with all their times', () => {
  const seen = (first: string, last: string) => ({
    ...{ title: 'a', source: 's', iocs: ['x'], severity: 'low' as const, status: 'new' as const },
    ...{ tags: [], mitre_techniques: [] },
    first_seen_at: new Date(first),
    last_seen_at: new Date(last),
  })
  const a = seen('2026-03-01T10:00:00Z', '2026-03-01T11:00:00Z')
  const b = seen('2026-03-01T09:00:00Z', '2026-03-01T10:30:00Z')
  const [merged] = mergeEqual([a, b]) ?? []
  assert.deepEqual(
    [merged?.occurrences, merged?.alert.first_seen_at, merged?.alert.last_seen_at, merged?.places],
    [2, b.first_seen_at, a.last_seen_at, [0, 1]],
  )
  assert.equal(mergeEqual([a, { ...b, status: 'closed' }]), undefined)
  const now = mergeEqual([a, { ...b, last_seen_at: undefined }])?.[0]
  assert.equal(now?.alert.last_seen_at, undefined, 'the latest of them is now')
})
