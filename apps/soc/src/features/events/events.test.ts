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

test('GET /events/stream', async (t) => {
  const soc = await startTestSoc(t)
  const other = await startTestSoc(t, { connection: soc.connection, mode: 'dry_run' })
  // Listeners are in one process, changes are made in the other.
  const address = await listen(other)
  const as = await soc.signIn()

  await t.test('GET /events/stream tells of a change made in another process', async (t) => {
    const stream = await readEvents(t, address, as)
    assert.equal(stream.headers.get('content-type'), 'text/event-stream')
    await raise(soc, as, 'Something new')
    await stream.has(2)
    assert.deepEqual(stream.names(), ['ready', 'alert.created'])
  })

  await t.test('Last-Event-ID replays what was missed, each once and in order', async (t) => {
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

  await t.test('an event of a slow transaction is not skipped by a faster one', async (t) => {
    const stream = await readEvents(t, address, as)
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

  await t.test('a caller hears only of what it may read', async (t) => {
    const viewer = await readEvents(t, address, await soc.signInAs('viewer'))
    await soc.query(happened('approval.requested', 1))
    await soc.query(happened('secret.unknown', 2))
    await soc.query(happened('case.updated', 3))
    await viewer.has(2)
    assert.deepEqual(numbers(viewer.received), [3])
  })

  await t.test('a preview sends nothing', async (t) => {
    const stream = await readEvents(t, address, as)
    const body = { title: 'Not yet', source: 'test', severity: 'low' }
    assert.equal((await other.call('POST', '/alerts', { as, body })).body.preview, true)
    const id = await raise(soc, as, 'The real one')
    await stream.has(2)
    const [, told] = stream.received
    assert.ok(JSON.stringify(told?.data).includes(id), JSON.stringify(told))
  })

  for (const [what, name, body] of [
    ['disabled', 'disabled', { disabled: true }],
    ['given another role', 'promoted', { role: 'analyst' }],
  ] as const) {
    await t.test(`a listener who is ${what} is cut off`, async (t) => {
      const stream = await readEvents(t, address, await soc.signInAs('viewer', name))
      const stays = await readEvents(t, address, as)
      assert.equal((await soc.call('PATCH', `/users/${name}`, { as, body })).status, 200)
      await stream.ended()
      assert.ok(stays.isOpen())
    })
  }

  await t.test(
    'a listener with an API key is cut off when its owner may no longer hear the same',
    async (t) => {
      await soc.signInAs('manager')
      const scopes = ['approvals:manage', 'alerts:read']
      const made = await soc.call('POST', '/users/manager/api-keys', {
        as,
        body: { name: 'board', scopes },
      })
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
    },
  )

  await t.test('signing out ends the stream of that session', async (t) => {
    const ended = await soc.signIn()
    const stream = await readEvents(t, address, ended)
    await soc.call('POST', '/auth/logout', { as: ended })
    await stream.ended()
  })

  await t.test('the fifty-first stream of one user is 429, and others still listen', async (t) => {
    const many = await soc.signInAs('viewer', 'many')
    const open = await Promise.all(Array.from({ length: 50 }, () => readEvents(t, address, many)))
    const refused = await readEvents(t, address, many)
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '5'])
    assert.equal((await readEvents(t, address, as)).status, 200)
    await open[0]?.close()
    await until('there is room', async () => (await readEvents(t, address, many)).status === 200)
  })

  await t.test('a listener whose events are gone is told to load its lists anew', async (t) => {
    for (const n of [1, 2, 3]) await soc.query(happened('alert.created', n))
    await until('numbered', async () => {
      const open = await soc.query('SELECT FROM outbox WHERE seq IS NULL')
      return open.length === 0
    })
    await soc.query('DELETE FROM outbox WHERE seq < (SELECT max(seq) FROM outbox)')
    for (const last of ['1', '99999']) {
      const stream = await readEvents(t, address, as, last)
      await stream.has(2)
      assert.deepEqual(stream.names(), ['ready', 'reset'])
    }
    assert.equal((await readEvents(t, address, as, 'x')).status, 400)
  })
})

test('the line is kept open by comments, and does not hold up the end of the service', async (t) => {
  const soc = await startTestSoc(t, { keepAliveMs: 5 })
  const stream = await readEvents(t, await listen(soc), await soc.signIn())
  await until('two comments', () => stream.comments.length >= 2)
  assert.equal(stream.comments[0], ': keep-alive')
  await soc.stop()
  await stream.ended()
})
