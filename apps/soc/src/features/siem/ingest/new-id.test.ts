import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNewId } from './new-id.ts'

test('ids are UUIDs of version 7, unique, and sort as they were made', () => {
  let ms = Date.UTC(2026, 0, 1)
  const newId = createNewId(() => ms)
  const ids = Array.from({ length: 10_000 }, (_, n) => {
    // The clock stands, goes on, and is set back.
    if (n === 6_000) ms += 5
    if (n === 8_000) ms -= 1_000
    return newId()
  })
  for (const id of ids)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(ids.join(), ids.toSorted().join())
  assert.equal(
    Number.parseInt((ids[0] ?? '').replaceAll('-', '').slice(0, 12), 16),
    Date.UTC(2026, 0, 1),
  )
})
