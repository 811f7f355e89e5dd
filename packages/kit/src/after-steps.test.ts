import assert from 'node:assert/strict'
import { connect, createServer } from 'node:net'
import { test } from 'node:test'
import { afterSteps, timeLimit } from './after-steps.ts'
import { busyFor } from './testing/busy.ts'

test('what arrived while there was no time for anything is read first', async (t) => {
  const server = createServer((socket) => socket.pipe(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  t.after(() => {
    socket.destroy()
    server.close()
  })
  await new Promise((resolve) => socket.once('connect', resolve))
  const came = new Promise((resolve) => socket.once('data', () => resolve('an answer')))
  const late = new Promise((resolve) => afterSteps(300, () => resolve('silence')))
  socket.write('?')
  setImmediate(() => busyFor(500))
  assert.equal(await Promise.race([came, late]), 'an answer')
  assert.equal(await late, 'silence')
})

test('what was stopped never runs, whichever step it is at', async () => {
  let runs = 0
  const stop = afterSteps(150, () => {
    runs += 1
  })
  await new Promise((resolve) => afterSteps(110, () => resolve(undefined)))
  stop()
  await new Promise((resolve) => afterSteps(200, () => resolve(undefined)))
  assert.equal(runs, 0)
})

test('a limit of time that is over says so, and one that was let go of does not', async () => {
  using limit = timeLimit(50, 'too long')
  const { signal } = (() => {
    using other = timeLimit(50)
    return other
  })()
  await new Promise((resolve) => limit.signal.addEventListener('abort', resolve))
  assert.equal(limit.signal.reason, 'too long')
  assert.ok(!signal.aborted)
})
