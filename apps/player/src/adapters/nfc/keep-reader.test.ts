import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createManualClock } from '../../testing/manual-clock.ts'
import { watchedReader } from '../testing/watched-reader.ts'
import { keepReader, type OpenReader } from './keep-reader.ts'

/** A reader whose plug a test holds in its hand. */
function setup(t: TestContext) {
  const clock = createManualClock()
  const socket = { reason: '' }
  let see: (uid: string | undefined) => void = () => {}
  let end: (reason: string) => void = () => {}
  let attempts = 0
  let closed = 0
  const reader = keepReader(async (look): Promise<OpenReader> => {
    attempts += 1
    if (socket.reason) throw new Error(socket.reason)
    see = look
    const ended = new Promise<string>((resolve) => {
      end = resolve
    })
    const close = async () => {
      closed += 1
    }
    return { adapter: 'pcsc', name: 'reader', ended, close }
  }, clock)
  t.after(reader.stop)
  return {
    ...watchedReader(reader),
    clock,
    reader,
    socket,
    see: (uid: string | undefined) => see(uid),
    end: (reason: string) => end(reason),
    attempts: () => attempts,
    closed: () => closed,
  }
}

test('only looks that differ are told, the first one always', async (t) => {
  const { rest, see, start } = setup(t)
  await start()
  for (const uid of [undefined, undefined, 'A', 'A', 'B', undefined, undefined]) see(uid)
  assert.deepEqual(rest(), ['ready', 'empty', 'card A', 'card B', 'empty'])
})

test('a reader that is not there is asked for every two seconds and told once', async (t) => {
  const { attempts, clock, next, reader, rest, socket, start } = setup(t)
  socket.reason = 'nothing plugged in'
  await start()
  for (let turn = 0; turn < 5; turn += 1) {
    clock.advance(2_000)
    await new Promise(setImmediate)
  }
  assert.equal(attempts(), 6)
  assert.deepEqual(rest(), ['lost: nothing plugged in'])
  assert.equal(reader.status().adapter, 'none')
  socket.reason = ''
  clock.advance(2_000)
  assert.equal(await next(), 'ready')
  assert.deepEqual(reader.status(), { adapter: 'pcsc', present: true, name: 'reader' })
})

test('after a loss what lies on the reader is told anew, and the old one is not heard', async (t) => {
  const { clock, end, next, see, start } = setup(t)
  await start()
  see('A')
  assert.deepEqual([await next(), await next()], ['ready', 'card A'])
  end('cable')
  assert.equal(await next(), 'lost: cable')
  see('B')
  clock.advance(2_000)
  assert.equal(await next(), 'ready')
  see('A')
  assert.equal(await next(), 'card A')
})

test('stopped, it closes the reader and says nothing more', async (t) => {
  const { closed, end, reader, rest, see, start } = setup(t)
  await start()
  await reader.stop()
  see('A')
  end('closed')
  await new Promise(setImmediate)
  assert.deepEqual(rest(), ['ready'])
  assert.equal(closed(), 1)
})
