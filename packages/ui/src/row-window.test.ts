import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRowWindow } from './row-window.ts'

const ROW = 36
const opened = (total: number, viewport = 720) => {
  const window = createRowWindow(ROW)
  window.resize(total, viewport)
  return window
}

test('a short list scrolls pixel by pixel', () => {
  const window = opened(100)
  window.scrolled(360)
  assert.deepEqual(window.rows(), { first: 6, last: 34, offset: 0 })
  assert.equal(window.height(), 3_600)
})

test('an empty list has no rows', () => {
  assert.deepEqual(opened(0).rows(), { first: 0, last: -1, offset: 0 })
})

test('a million rows: the bar at its end shows the last row, at its beginning the first', () => {
  const window = opened(1_000_000)
  window.scrolled(window.height() - 720)
  assert.equal(window.rows().last, 999_999)
  window.scrolled(0)
  assert.equal(window.rows().first, 0)
})

test('a row that is asked for is in view, wherever one was', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2_000_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (total, from, to) => {
        const window = opened(total)
        window.scrolled(Math.round(from * Math.max(0, window.height() - 720)))
        const asked = Math.min(total - 1, Math.floor(to * total))
        window.reveal(asked)
        const { first, last } = window.rows()
        assert.ok(first <= asked && asked <= last, `${asked} is not in ${first}…${last}`)
      },
    ),
  )
})

test('scrolling there and back shows the same rows', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2_000_000 }),
      fc.array(fc.integer({ min: 1, max: 1_000 }), { maxLength: 30 }),
      (total, steps) => {
        const window = opened(total)
        const start = Math.floor(window.height() / 2)
        window.scrolled(start)
        const before = window.rows().first
        let at = window.settled()
        const room = steps.filter((step) => at + step * steps.length < window.height() - 720)
        for (const step of [...room, ...room.toReversed().map((one) => -one)]) {
          at += step
          window.scrolled(at)
        }
        assert.equal(window.rows().first, before)
      },
    ),
  )
})
