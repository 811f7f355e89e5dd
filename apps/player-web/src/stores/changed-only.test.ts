import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedOnly } from './changed-only.ts'

const BEFORE = { id: 1, hour: 5, minute: 30, target: { type: 'surah', surah: 67 }, volume: null }

test('what this phone has not changed is not sent, so that another one may have', () => {
  const { hour, minute, target } = BEFORE
  const now = { hour, minute: 45, target: { ...target }, volume: null }
  assert.deepEqual(changedOnly(BEFORE, now), { minute: 45 })
  const other = { type: 'surah', surah: 68 }
  assert.deepEqual(changedOnly(BEFORE, { ...now, minute, target: other }), { target: other })
})

test('where nothing was changed there is nothing to send', () => {
  assert.equal(changedOnly(BEFORE, { ...BEFORE }), undefined)
})
