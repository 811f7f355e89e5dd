import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEvents } from '../../testing/event-reader.ts'
import { startTestSoc, type TestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

const listen = (soc: TestSoc) => soc.http.listen({ host: '127.0.0.1', port: 0 })

async function raise(soc: TestSoc, as: string, title: string) {
  const body = { title, source: 'test', severity: 'low' }
  const created = await soc.call('POST', '/alerts', { as, body })
  assert.equal(created.status, 201)
  return created.body.id as string
}

/** Written as a slow colleague's transaction would be: into the outbox, past the service. */
const happened = (event: string, n: number) =>
  `INSERT INTO outbox (event, data) VALUES ('${event}', '{"n":${n}}')`

const numbers = (received: { data: unknown }[]) =>
  received.map(({ data }) => (data as { n?: number }).n).filter((n) => n !== undefined)

test('GET /events/stream tells of a change made in another process', async (t) => {
  const one = await startTestSoc(t)
  const two = await startTestSoc(t, { connection: one.connection })
  const as = await one.signIn()
  const stream = await readEvents(t, await listen(two), as)
  assert.equal(stream.headers.get('content-type'), 'text/event-stream')
  await raise(one, as, 'Something new')
  await stream.has(2)
  assert.deepEqual(stream.names(), ['ready', 'alert.created'])
})

test('Last-Event-ID replays what was missed, each once and in order', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const address = await listen(soc)
  const first = await readEvents(t, address, as)
  await soc.query(happened('alert.created', 1))
  await first.has(2)
  await first.close()
  const { id } = first.received.at(-1) ?? assert.fail()

  for (const n of [2, 3, 4]) await soc.query(happened('alert.created', n))
  const again = await readEvents(t, address, as, id)
  await soc.query(happened('alert.created', 5))
  await again.has(5)
  assert.deepEqual(numbers(again.received), [2, 3, 4, 5])
})

test('an event of a slow transaction is not skipped by a faster one', async (t) => {
  const soc = await startTestSoc(t)
  const stream = await readEvents(t, await listen(soc), await soc.signIn())
  await soc.holding(happened('alert.created', 1), async () => {
    await soc.query(happened('alert.created', 2))
    await stream.has(2)
    assert.deepEqual(numbers(stream.received), [2])
  })
  await stream.has(3)
  assert.deepEqual(numbers(stream.received), [2, 1])
  const ids = stream.received.map(({ id }) => Number(id))
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  )
})

test('a caller hears only of what it may read', async (t) => {
  const soc = await startTestSoc(t)
  const viewer = await readEvents(t, await listen(soc), await soc.signInAs('viewer'))
  await soc.query(happened('approval.requested', 1))
  await soc.query(happened('secret.unknown', 2))
  await soc.query(happened('case.updated', 3))
  await viewer.has(2)
  assert.deepEqual(numbers(viewer.received), [3])
})

test('a preview sends nothing', async (t) => {
  const real = await startTestSoc(t)
  const rehearsal = await startTestSoc(t, { connection: real.connection, mode: 'dry_run' })
  const as = await real.signIn()
  const stream = await readEvents(t, await listen(real), as)
  const body = { title: 'Not yet', source: 'test', severity: 'low' }
  assert.equal((await rehearsal.call('POST', '/alerts', { as, body })).body.preview, true)
  const id = await raise(real, as, 'The real one')
  await stream.has(2)
  const [, told] = stream.received
  assert.ok(JSON.stringify(told?.data).includes(id), JSON.stringify(told))
})

test('a listener whose events are gone is told to load its lists anew', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  for (const n of [1, 2, 3]) await soc.query(happened('alert.created', n))
  await until('numbered', async () => {
    const open = await soc.query('SELECT FROM outbox WHERE seq IS NULL')
    return open.length === 0
  })
  await soc.query('DELETE FROM outbox WHERE seq < 3')
  const address = await listen(soc)
  assert.deepEqual((await readEvents(t, address, as, '1')).names(), ['ready', 'reset'])
  assert.deepEqual((await readEvents(t, address, as, '99')).names(), ['ready', 'reset'])
  assert.equal((await readEvents(t, address, as, 'x')).status, 400)
})

for (const [what, path, body] of [
  ['disabled', '/users/viewer', { disabled: true }],
  ['given another role', '/users/viewer', { role: 'analyst' }],
] as const) {
  test(`a listener who is ${what} is cut off`, async (t) => {
    const soc = await startTestSoc(t)
    const other = await startTestSoc(t, { connection: soc.connection })
    const stream = await readEvents(t, await listen(soc), await soc.signInAs('viewer'))
    const stays = await readEvents(t, await listen(other), await soc.signIn())
    assert.equal((await other.call('PATCH', path, { as: await soc.signIn(), body })).status, 200)
    await stream.ended()
    assert.ok(stays.isOpen())
  })
}

test('a listener with an API key is cut off when its owner may no longer hear the same', async (t) => {
  const soc = await startTestSoc(t)
  await soc.signInAs('manager')
  const as = await soc.signIn()
  const scopes = ['approvals:manage', 'alerts:read']
  const made = await soc.call('POST', '/users/manager/api-keys', {
    as,
    body: { name: 'board', scopes },
  })
  const address = await listen(soc)
  const stream = await readEvents(t, address, made.body.key)
  const renamed = { full_name: 'Leila Haddad' }
  await soc.call('PATCH', '/users/manager', { as, body: renamed })
  await soc.query(happened('approval.requested', 1))
  await stream.has(2)
  await soc.call('PATCH', '/users/manager', { as, body: { role: 'viewer' } })
  await stream.ended()
  const again = await readEvents(t, address, made.body.key)
  await soc.query(happened('approval.requested', 2))
  await soc.query(happened('alert.created', 3))
  await again.has(2)
  assert.deepEqual(numbers(again.received), [3])
})

test('signing out ends the stream of that session', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const stream = await readEvents(t, await listen(soc), as)
  await soc.call('POST', '/auth/logout', { as })
  await stream.ended()
})

test('the fifty-first stream of one user is 429, and others still listen', async (t) => {
  const soc = await startTestSoc(t)
  const address = await listen(soc)
  const as = await soc.signInAs('viewer')
  const open = await Promise.all(Array.from({ length: 50 }, () => readEvents(t, address, as)))
  const refused = await readEvents(t, address, as)
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '5'])
  assert.equal((await readEvents(t, address, await soc.signIn())).status, 200)
  await open[0]?.close()
  await until('there is room', async () => (await readEvents(t, address, as)).status === 200)
})

test('the line is kept open by comments', async (t) => {
  const soc = await startTestSoc(t, { keepAliveMs: 5 })
  const stream = await readEvents(t, await listen(soc), await soc.signIn())
  await until('two comments', () => stream.comments.length >= 2)
  assert.equal(stream.comments[0], ': keep-alive')
})

test('open streams do not hold up the end of the service', async (t) => {
  const soc = await startTestSoc(t)
  const stream = await readEvents(t, await listen(soc), await soc.signIn())
  await soc.stop()
  await stream.ended()
})
