import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withinSurah } from './mode-of.ts'

test('a drill that is kept for a shorter surah has no verses that it has not', () => {
  const mode = { mode: 'hifz_verses', verses: { from: 2, to: 5 } } as const
  assert.deepEqual(withinSurah(mode, 108).verses, { from: 2, to: 3 })
  assert.deepEqual(withinSurah(mode, 2), mode)
  assert.deepEqual(withinSurah({ mode: 'off' }, 108), { mode: 'off' })
})
