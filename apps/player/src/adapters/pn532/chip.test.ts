import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { createChip } from './chip.ts'

/** Answers a look with "nothing" in a thread of its own, and says when it has. */
const CHIP = `
  const { parentPort, workerData } = require('node:worker_threads')
  const ACKNOWLEDGED = [0x00, 0x00, 0xff, 0x00, 0xff, 0x00]
  const NOTHING = [0x00, 0x00, 0xff, 0x03, 0xfd, 0xd5, 0x4b, 0x00, 0xe0, 0x00]
  const server = require('node:net').createServer((line) => {
    line.on('error', () => {})
    line.on('data', () => line.write(Buffer.from([...ACKNOWLEDGED, ...NOTHING]), () => {
      Atomics.store(workerData, 0, 1)
      Atomics.notify(workerData, 0)
    }))
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`

test('an answer that lies there unread, because we had no time ourselves, came in time', async (t) => {
  const answered = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(CHIP, { eval: true, workerData: answered })
  t.after(() => worker.terminate())
  const [port] = await once(worker, 'message')
  const line = connect(port, '127.0.0.1')
  t.after(() => line.destroy())
  await once(line, 'connect')
  const looked = createChip(line).look()
  const until = performance.now() + 1_000
  // This thread does nothing else until the answer lies there, and much too long at that.
  Atomics.wait(answered, 0, 0)
  while (performance.now() < until);
  assert.equal(await looked, undefined)
})
