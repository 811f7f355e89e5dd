import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardEvents } from './card-events.ts'

const card = { volume: '8:1', mtime_ms: 5 }
const other = { volume: '8:2', mtime_ms: 5 }
const touched = { volume: '8:1', mtime_ms: 6 }

const TABLE = [
  { what: 'an empty slot that stays empty', before: undefined, after: undefined, events: [] },
  { what: 'a card put in', before: undefined, after: card, events: ['inserted'] },
  { what: 'a card taken out', before: card, after: undefined, events: ['removed'] },
  { what: 'a card that stays', before: card, after: { ...card }, events: [] },
  { what: 'a card written to', before: card, after: touched, events: ['changed'] },
  { what: 'another card', before: card, after: other, events: ['removed', 'inserted'] },
]

for (const { what, before, after, events } of TABLE) {
  test(`${what}: ${events.join(' then ') || 'nothing happened'}`, () =>
    assert.deepEqual(cardEvents(before, after, false), events))
}

test('a hint from a folder below makes a card that stays a changed one', () => {
  assert.deepEqual(cardEvents(card, card, true), ['changed'])
  assert.deepEqual(cardEvents(undefined, undefined, true), [])
})
