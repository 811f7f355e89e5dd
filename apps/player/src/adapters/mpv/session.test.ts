import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSession, isNearEnd, type Session, tailOf } from './session.ts'

const playing = (facts: Partial<Session>): Session => ({
  ...createSession({ kind: 'file', path: '/card/001.mp3' }, {}),
  heard: true,
  position_ms: 30,
  ...facts,
})

/** mpv tells the length only when it is another than that of the file before: the same one again has none. */
test('a file whose length nobody knows yet is not near its end', () => {
  assert.equal(isNearEnd(playing({ duration_ms: 0 })), false)
  assert.equal(isNearEnd(playing({ duration_ms: 20_000 })), false)
  assert.equal(isNearEnd(playing({ duration_ms: 20_000, position_ms: 19_800 })), true)
})

test('a part of a file ends where it is cut, however long the file is', () => {
  const part = { until_ms: 5_000, duration_ms: 0 }
  assert.equal(isNearEnd(playing({ ...part, position_ms: 4_000 })), false)
  assert.equal(isNearEnd(playing({ ...part, position_ms: 4_900 })), true)
  assert.equal(tailOf(playing({ ...part, duration_ms: 20_000, position_ms: 4_900 })), 100)
})

test('a station leaves nothing to be heard when it is over', () => {
  const url = 'http://radio.example/live'
  assert.equal(tailOf(createSession({ kind: 'stream', url }, {})), 0)
})
