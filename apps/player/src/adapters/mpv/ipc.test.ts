import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createIpc } from './ipc.ts'

/** A connection to something that says what `answer` makes of each request. */
async function connectTo(t: TestContext, answer: (request: { request_id: number }) => object) {
  const server = createServer((socket: Socket) => {
    socket.setEncoding('utf8').on('data', (line) => {
      socket.write(`${JSON.stringify(answer(JSON.parse(String(line))))}\n`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  t.after(() => {
    socket.destroy()
    server.close()
  })
  return createIpc(socket)
}

const PATIENCE_MS = 200

test('an answer that lies there unread, because we had no time ourselves, came in time', async (t) => {
  const ipc = await connectTo(t, ({ request_id }) => ({ request_id, error: 'success' }))
  const isWell = ipc.answersWithin(PATIENCE_MS)
  const until = performance.now() + 3 * PATIENCE_MS
  while (performance.now() < until);
  assert.equal(await isWell, true)
})

test('one that never comes does not', async (t) => {
  const ipc = await connectTo(t, () => ({ event: 'idle' }))
  assert.equal(await ipc.answersWithin(PATIENCE_MS), false)
})
