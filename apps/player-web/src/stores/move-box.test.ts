import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refused } from './api.ts'
import { moveBox, readDegrees } from './move-box.ts'

const CAIRO = { lat: 30.0444, lng: 31.2357, method: 2 as const }
const MOVE = { place: CAIRO, timezone: 'EET-2', before: 'CET-1' }

/** A box that refuses what a test says, and the calls that came. */
function fixture(refuses: string[] = []) {
  const calls: [path: string, body: object | undefined][] = []
  const api = {
    async post(path: string, body?: object) {
      calls.push([path, body])
      if (refuses.includes(path)) throw new Refused(500, `${path}: no`)
      return {} as never
    },
  }
  return { api, calls }
}

test('the zone goes before the place, so that no time is computed by the one before', async () => {
  const { api, calls } = fixture()
  await moveBox(api, MOVE)
  assert.deepEqual(calls, [
    ['/settings/timezone', { timezone: 'EET-2' }],
    ['/prayer/config', CAIRO],
  ])
})

test('a place without a zone leaves the zone as it is', async () => {
  const { api, calls } = fixture()
  await moveBox(api, { place: CAIRO, timezone: undefined, before: 'CET-1' })
  assert.deepEqual(calls, [['/prayer/config', CAIRO]])
})

test('where the zone is refused the place stays too, and it is told', async () => {
  const { api, calls } = fixture(['/settings/timezone'])
  await assert.rejects(moveBox(api, MOVE), /timezone: no/)
  assert.equal(calls.length, 1)
})

test('where the place is refused the zone is put back, and it is told', async () => {
  const { api, calls } = fixture(['/prayer/config'])
  await assert.rejects(moveBox(api, MOVE), /config: no/)
  assert.deepEqual(calls.at(-1), ['/settings/timezone', { timezone: 'CET-1' }])
})

test('degrees are read off the keyboard of any language', () => {
  const typed = [
    '30.0444',
    ' 30,0444',
    '٣٠٫٠٤٤٤',
    '۳۰٫۰۴۴۴',
    '-74.1',
    '−74.1',
    '-٧٤٫١',
    '',
    'Cairo',
  ]
  const read = [30.0444, 30.0444, 30.0444, 30.0444, -74.1, -74.1, -74.1, Number.NaN, Number.NaN]
  assert.deepEqual(typed.map(readDegrees), read)
})
