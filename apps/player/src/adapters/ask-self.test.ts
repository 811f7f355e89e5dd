import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { listen } from '../testing/local-server.ts'
import { playerFixture, TOKEN } from '../testing/player-fixture.ts'
import { askSelf } from './ask-self.ts'

const on = (port: number) => ({ host: '127.0.0.1', port, tls: false, token: TOKEN })

/** A service that answers each request with the next of these, and then with the last. */
async function service(t: TestContext, ...answers: [status: number, body: object][]) {
  let asked = 0
  const server = createServer((_request, reply) => {
    const [status, body] = answers[Math.min(asked++, answers.length - 1)] ?? [500, {}]
    reply.writeHead(status, { 'retry-after': '1' }).end(JSON.stringify(body))
  })
  return { port: await listen(t, server), asked: () => asked }
}
const NEW = [200, { version: '2.0.0' }] satisfies [number, object]
const BUSY = [429, { error: 'too many poll requests' }] satisfies [number, object]

test('polls of others at the same address, as through a proxy on the box, do not fail a new version', async (t) => {
  const { app, get } = await playerFixture(t)
  const { version } = (await get('/system')).json()
  const own = await app.listen({ host: '127.0.0.1', port: 0 })
  const polls = () => Promise.all(Array.from({ length: 43 }, () => fetch(`${own}/api/system`)))
  for (let asked = 0; asked < 301; asked += 43) await polls()
  assert.equal((await fetch(`${own}/api/system`)).status, 429)
  assert.equal(await askSelf(on(Number(new URL(own).port)), version), undefined)
})

test('who is told to come back does, and then the answer counts', async (t) => {
  const well = await service(t, BUSY, NEW)
  assert.equal(await askSelf(on(well.port), '2.0.0'), undefined)
  assert.equal(well.asked(), 2)
  const another = await service(t, BUSY, [200, { version: '1.0.0' }])
  assert.equal(await askSelf(on(another.port), '2.0.0'), 'it answers as 1.0.0, not as 2.0.0')
})

test('one that is only ever busy has proven nothing', async (t) => {
  const { port, asked } = await service(t, BUSY)
  assert.match((await askSelf(on(port), '2.0.0')) ?? '', /^it answers 429: too many poll requests$/)
  assert.ok(asked() > 2)
})

test('what is no answer of the version is told as it is', async (t) => {
  const { port, asked } = await service(t, [500, { error: 'internal error' }])
  assert.equal(await askSelf(on(port), '2.0.0'), 'it answers 500: internal error')
  assert.equal(asked(), 1)
  const other = await service(t, [200, { hello: 'world' }])
  assert.equal(await askSelf(on(other.port), '2.0.0'), 'it answers as undefined, not as 2.0.0')
  const none = createServer()
  const closed = await listen(t, none)
  none.close()
  await once(none, 'close')
  assert.match((await askSelf(on(closed), '2.0.0')) ?? '', /^it does not answer: /)
})
