import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, merged, valuesOf } from './draft.ts'

const base = valuesOf({ name: 'One', query: 'host:a', alert_severity: 'low' })

test('what somebody else changed is taken over, what was typed stays, and both is told', () => {
  const typed = { ...base, query: 'host:a AND user:root', name: 'Mine' }
  const now = { ...base, description: 'theirs', name: 'Theirs' }
  assert.deepEqual(merged(base, typed, now), {
    values: { ...base, query: 'host:a AND user:root', name: 'Mine', description: 'theirs' },
    both: ['name'],
  })
  assert.deepEqual(merged(base, base, now), { values: now, both: [] })
})

test('techniques are a list, no source is none', () => {
  const body = bodyOf({ ...base, mitre_techniques: 'T1059, T1003' })
  assert.deepEqual([body.mitre_techniques, body.source], [['T1059', 'T1003'], null])
})
