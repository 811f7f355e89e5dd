import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

async function listen(address: string, as: string, q: string) {
  const leaving = new AbortController()
  const reply = await fetch(`${address}/api/v1/siem/tail?q=${encodeURIComponent(q)}`, {
    headers: { authorization: `Bearer ${as}` },
    signal: leaving.signal,
  })
  const text = reply.ok ? reply.body?.pipeThrough(new TextDecoderStream()).getReader() : undefined
  let read = ''
  /** What was sent until `wanted` was among it. */
  async function until(wanted: string): Promise<string> {
    while (!read.includes(wanted)) {
      const piece = await text?.read()
      if (!piece || piece.done) return `${read}(end)`
      read += piece.value
    }
    return read
  }
  return { status: reply.status, until, leave: () => leaving.abort() }
}

test('GET /siem/tail', async (t) => {
  const soc = await startTestSoc(t)
  const address = await soc.http.listen({ host: '127.0.0.1', port: 0 })
  const admin = await soc.signIn()
  const send = (...events: object[]) => soc.call('POST', '/siem/logs', { as: admin, body: events })

  await t.test('shows what matches as it is stored, and nothing else', async () => {
    const tail = await listen(address, admin, 'host:web-1 AND failed')
    await tail.until('event: ready')
    await send({ message: 'failed elsewhere', host: 'db-1' }, { message: 'fine', host: 'web-1' })
    await send({ message: 'Failed password', host: 'WEB-1' })
    const told = await tail.until('Failed password')
    assert.equal(told.match(/event: log/g)?.length, 1)
    tail.leave()
  })

  await t.test('says how many it left out of a flood', async () => {
    const tail = await listen(address, admin, 'flood')
    await tail.until('event: ready')
    await send(...Array.from({ length: 500 }, (_, n) => ({ message: `flood ${n}` })))
    assert.match(await tail.until('event: skipped'), /event: skipped\ndata: \{"count":\d+\}/)
    tail.leave()
  })

  await t.test('an event too large to look at meanwhile is left out, and said', async () => {
    const tail = await listen(address, admin, 'huge')
    await tail.until('event: ready')
    await send({ message: `huge ${'a'.repeat(100_000)}` }, { message: 'huge but short' })
    // A busy machine stores and tells them one after the other.
    assert.match(await tail.until('event: skipped'), /event: skipped\n/)
    const told = await tail.until('huge but short')
    assert.match(told, /huge but short/)
    assert.doesNotMatch(told, /aaaa/)
    tail.leave()
  })

  await t.test('knows names in any letter case that come while it is open', async () => {
    const tail = await listen(address, admin, 'comeslater:x')
    await tail.until('event: ready')
    await send({ ComesLater: 'x', message: 'the first' })
    await until('the name is known', async () => {
      const { body } = await soc.call('GET', '/siem/logs?q=comeslater:x', { as: admin })
      return body.total > 0
    })
    await send({ ComesLater: 'x', message: 'the second' })
    assert.match(await tail.until('the second'), /the second/)
    tail.leave()
  })

  await t.test('a sixth of one person is 429, a viewer is 403, a bad query 400', async () => {
    const kim = await soc.signInAs('analyst', 'kim')
    const tails = []
    for (let n = 0; n < 5; n += 1) tails.push(await listen(address, kim, '*'))
    assert.equal((await listen(address, kim, '*')).status, 429)
    for (const tail of tails) tail.leave()
    const viewer = await soc.signInAs('viewer')
    assert.equal((await listen(address, viewer, '*')).status, 403)
    assert.equal((await listen(address, admin, 'host:(')).status, 400)
  })

  await t.test('ends when its listener is disabled', async () => {
    const sam = await soc.signInAs('analyst', 'sam')
    const tail = await listen(address, sam, '*')
    await tail.until('event: ready')
    await soc.call('PATCH', '/users/sam', { as: admin, body: { disabled: true } })
    assert.match(await tail.until('never sent'), /\(end\)$/)
  })
})
