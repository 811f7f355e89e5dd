import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionOf, readButtonMap } from './button-map.ts'

const keysOf = (text: string) => [...readButtonMap(text).values()][0] ?? new Map()
const usual = keysOf('/dev/input/event0')

const EVENTS: [
  what: string,
  type: number,
  code: number,
  value: number,
  result: object | undefined,
][] = [
  ['play is pressed', 1, 164, 1, { action: 'play_pause', times: 1 }],
  ['the WPS button is pressed', 1, 529, 1, { action: 'pair', times: 1 }],
  ['play is released', 1, 164, 0, undefined],
  ['play is held', 1, 164, 2, undefined],
  ['volume up is held', 1, 115, 2, { action: 'volume_up', times: 1 }],
  ['a key without a meaning', 1, 30, 1, undefined],
  ['a knob turns right by three', 2, 0, 3, { action: 'volume_up', times: 3 }],
  ['a knob turns left', 2, 7, -1, { action: 'volume_down', times: 1 }],
  ['a wheel spins wildly', 2, 8, -9_999, { action: 'volume_down', times: 20 }],
  ['a mouse moves up', 2, 1, 5, undefined],
  ['the end of a report', 0, 0, 0, undefined],
]
for (const [what, type, code, value, result] of EVENTS)
  test(`${what}: ${JSON.stringify(result)}`, () => {
    assert.deepEqual(actionOf(usual, { type, code, value }), result)
  })

test('PLAYER_BUTTONS names devices, each with the usual keys or its own', () => {
  const map = readButtonMap('/dev/input/event0:30=next,48=stop_adhan  /dev/input/by-path/x-event')
  assert.deepEqual(
    [...(map.get('/dev/input/event0') ?? [])],
    [
      [30, 'next'],
      [48, 'stop_adhan'],
    ],
  )
  assert.ok((map.get('/dev/input/by-path/x-event')?.size ?? 0) > 10)
})

const WRONG: [text: string, why: RegExp][] = [
  ['event0', /event0 is no device/],
  ['/dev/input/event0:next=30', /next=30 is not the number/],
  ['/dev/input/event0:30=explode', /explode is none of play_pause/],
  ['/dev/input/event0:30', /30 is none of/],
]
for (const [text, why] of WRONG)
  test(`${text} stops the start`, () => {
    assert.throws(() => readButtonMap(text), why)
  })
