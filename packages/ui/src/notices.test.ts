import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNotices } from './notices.ts'

/** Notices whose clock is in the hands of the test. */
function fixture() {
  let time = 0
  let timers: { at: number; then: () => void }[] = []
  const notices = createNotices((ms, then) => timers.push({ at: time + ms, then }))
  return {
    notices,
    texts: () => notices.list.value.map(({ text }) => text),
    pass(ms: number) {
      for (const until = time + ms; time < until; time += 100) runDue()
      runDue()
    },
    /** The page stands still, as on a phone in a pocket: timers that were due meanwhile run behind. */
    stand(ms: number) {
      time += ms
      runDue()
    },
  }
  function runDue() {
    const due = timers.filter(({ at }) => at <= time)
    timers = timers.filter(({ at }) => at > time)
    for (const { then } of due) then()
  }
}

test('what was done is said for six seconds', () => {
  const { notices, texts, pass } = fixture()
  notices.done('Saved')
  pass(5_900)
  assert.deepEqual(texts(), ['Saved'])
  pass(200)
  assert.deepEqual(texts(), [])
})

test('a page that stood still says it to who looks again', () => {
  const { notices, texts, pass, stand } = fixture()
  notices.problem('Nothing was saved')
  pass(1_000)
  stand(12_000)
  pass(4_000)
  assert.deepEqual(texts(), ['Nothing was saved'])
  pass(1_000)
  assert.deepEqual(texts(), [])
})

test('what is closed is gone at once, and the same words twice are said once', () => {
  const { notices, texts, pass } = fixture()
  notices.done('Saved')
  pass(4_000)
  notices.done('Saved')
  pass(4_000)
  assert.deepEqual(texts(), ['Saved'])
  notices.close(notices.list.value[0]?.id ?? 0)
  assert.deepEqual(texts(), [])
})
