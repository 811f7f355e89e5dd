import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
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

/** Answers in a thread of its own, and counts what it has answered. */
const ANSWERING = `
  const { parentPort, workerData } = require('node:worker_threads')
  const server = require('node:net').createServer((socket) => {
    socket.setEncoding('utf8').on('data', (line) => {
      const { request_id } = JSON.parse(line)
      socket.write(JSON.stringify({ request_id, error: 'success' }) + '\\n', () => {
        Atomics.add(workerData, 0, 1)
        Atomics.notify(workerData, 0)
      })
    })
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`

test('an answer that lies there unread, because we had no time ourselves, came in time', async (t) => {
  const answered = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(ANSWERING, { eval: true, workerData: answered })
  t.after(() => worker.terminate())
  const [port] = await once(worker, 'message')
  const socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  await once(socket, 'connect')
  const isWell = createIpc(socket).answersWithin(PATIENCE_MS)
  const until = performance.now() + 3 * PATIENCE_MS
  // This thread does nothing else until the answer lies there, and much too long at that.
  Atomics.wait(answered, 0, 0)
  while (performance.now() < until);
  assert.equal(await isWell, true)
})

test('one that never comes does not', async (t) => {
  const ipc = await connectTo(t, () => ({ event: 'idle' }))
  assert.equal(await ipc.answersWithin(PATIENCE_MS), false)
})
