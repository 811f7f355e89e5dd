import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLive, type LiveSocket } from './live.ts'

/** A link whose sockets, clock and answers are in the hands of the test. */
function fixture() {
  let time = 0
  const timers = new Set<{ at: number; then: () => void }>()
  /** Runs the next timer that is due by then. */
  function runNext(until: number) {
    const [timer] = [...timers].sort((a, b) => a.at - b.at)
    if (!timer || timer.at > until) return false
    timers.delete(timer)
    time = Math.max(time, timer.at)
    timer.then()
    return true
  }
  const sockets: (LiveSocket & { isClosed: boolean })[] = []
  const heard: string[] = []
  const answers: ((isThere: boolean) => void)[] = []
  const live = createLive({
    open() {
      const socket = {
        isClosed: false,
        onmessage: null,
        onclose: null,
        close() {
          socket.isClosed = true
        },
      }
      sockets.push(socket)
      return socket
    },
    onMessage: ({ event }) => heard.push(event),
    check: () =>
      new Promise((resolve, reject) => {
        answers.push((isThere) => (isThere ? resolve(true) : reject(new Error('gone'))))
      }),
    now: () => time,
    after(ms, then) {
      const mine = { at: time + ms, then }
      timers.add(mine)
      return () => timers.delete(mine)
    },
    random: () => 0.5,
  })
  live.start()
  return {
    live,
    sockets,
    heard,
    answers,
    latest: () => sockets.at(-1) as (typeof sockets)[number],
    say: (event: string) => sockets.at(-1)?.onmessage?.({ data: JSON.stringify({ event }) }),
    /** Lets time pass; `asleep` runs no timer on the way, as a phone in a pocket. */
    pass(ms: number, asleep = false) {
      const until = time + ms
      while (!asleep && runNext(until));
      time = until
      while (runNext(time));
    },
    settle: () => new Promise(setImmediate),
  }
}

test('it is live with the first message, not with the handshake', () => {
  const { live, say, heard } = fixture()
  assert.equal(live.status.value, 'connecting')
  say('snapshot')
  assert.equal(live.status.value, 'live')
  assert.deepEqual(heard, ['snapshot'])
})

test('a lost link is opened again, first soon and then more seldom', () => {
  const { live, latest, say, sockets, pass } = fixture()
  say('snapshot')
  latest().onclose?.()
  assert.equal(live.status.value, 'lost')
  pass(300)
  assert.equal(sockets.length, 2)
  for (let tries = 0; tries < 6; tries += 1) {
    latest().onclose?.()
    pass(5_000)
  }
  const before = sockets.length
  latest().onclose?.()
  pass(4_900)
  assert.equal(sockets.length, before)
  pass(200)
  assert.equal(sockets.length, before + 1)
})

test('a phone that wakes does not wait: the link is opened anew at once, and lost tries are not waited for', () => {
  const { live, latest, say, sockets, pass } = fixture()
  say('snapshot')
  pass(3_600_000, true)
  const old = latest()
  live.wake()
  assert.equal(live.status.value, 'connecting', 'what is shown may be an hour old')
  assert.ok(old.isClosed)
  const woken = sockets.length
  say('snapshot')
  assert.equal(live.status.value, 'live')
  latest().onclose?.()
  live.wake()
  assert.equal(sockets.length, woken + 1)
})

test('looking away for a second opens nothing anew', () => {
  const { live, say, sockets, pass } = fixture()
  say('snapshot')
  pass(1_000)
  live.wake()
  assert.equal(sockets.length, 1)
  assert.equal(live.status.value, 'live')
})

test('silence is doubted: a box that answers stays, one that does not is lost', async () => {
  const { live, say, answers, sockets, pass, settle } = fixture()
  say('snapshot')
  pass(12_000)
  assert.equal(answers.length, 1)
  answers[0]?.(true)
  await settle()
  assert.equal(live.status.value, 'live')
  pass(12_000)
  answers[1]?.(false)
  await settle()
  assert.equal(live.status.value, 'lost')
  assert.equal(sockets.length, 1)
})

test('a handshake without an answer is given up', () => {
  const { live, sockets, pass } = fixture()
  pass(6_000)
  assert.equal(live.status.value, 'lost')
  pass(300)
  assert.equal(sockets.length, 2)
})

test('a page that stood still hears what came meanwhile before it gives the link up', () => {
  const { live, sockets, say, pass } = fixture()
  pass(1_000)
  pass(9_000, true)
  assert.equal(live.status.value, 'connecting')
  say('snapshot')
  assert.equal(live.status.value, 'live')
  assert.equal(sockets.length, 1)
})

test('a handshake without an answer is given up though the page stood still as well', () => {
  const { live, pass } = fixture()
  pass(9_000, true)
  pass(6_000)
  assert.equal(live.status.value, 'lost')
})

test('what an old link still says is not heard', () => {
  const { live, say, heard, latest, pass } = fixture()
  say('snapshot')
  const old = latest()
  pass(10_000)
  live.wake()
  old.onmessage?.({ data: '{"event":"late"}' })
  old.onclose?.()
  assert.deepEqual(heard, ['snapshot'])
  assert.equal(live.status.value, 'connecting')
})

test('a page that nobody looks at lets the box go after a minute', () => {
  const { live, say, latest, pass, sockets } = fixture()
  say('snapshot')
  live.rest()
  for (let second = 0; second < 59; second += 1) {
    pass(1_000)
    say('progress')
  }
  assert.ok(!latest().isClosed)
  pass(1_000)
  assert.ok(latest().isClosed)
  live.wake()
  assert.equal(sockets.length, 2)
})

test('a page that is looked at again in time keeps its link', () => {
  const { live, say, latest, pass, sockets } = fixture()
  say('snapshot')
  live.rest()
  pass(2_000)
  live.wake()
  for (let second = 0; second < 60; second += 1) {
    pass(1_000)
    say('progress')
  }
  assert.ok(!latest().isClosed)
  assert.equal(sockets.length, 1)
})

test('on a line so slow that every link takes nine seconds it becomes live, and stays so', async () => {
  const { live, sockets, latest, say, answers, pass, settle } = fixture()
  for (let at = 0; at < 60 && live.status.value !== 'live'; at += 1) {
    const mine = latest()
    pass(9_000)
    if (mine === latest() && !mine.isClosed) say('snapshot')
  }
  assert.equal(live.status.value, 'live')
  const opened = sockets.length
  pass(12_000)
  pass(9_000)
  answers.at(-1)?.(true)
  await settle()
  assert.equal(live.status.value, 'live')
  assert.equal(sockets.length, opened)
})

test('a line that is quick again is given up as soon as at first', () => {
  const { live, say, pass } = fixture()
  pass(60_000)
  live.wake()
  say('snapshot')
  pass(12_000 + 6_000)
  assert.equal(live.status.value, 'lost')
})
