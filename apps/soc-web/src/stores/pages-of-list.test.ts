import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachOnce, fallenOff } from './pages-of-list.ts'

const keyOf = (id: string) => id

test('what new rows push off a page is known, what was removed is not', () => {
  assert.deepEqual(fallenOff(['c', 'b', 'a'], ['e', 'd', 'c'], keyOf), ['b', 'a'])
  assert.deepEqual(fallenOff(['c', 'b', 'a'], ['c', 'a', 'z'], keyOf), [])
  assert.deepEqual(fallenOff(['c', 'b', 'a'], ['f', 'e', 'd'], keyOf), ['c', 'b', 'a'])
})

test('a row that is on two pages is shown once, where it came first', () => {
  assert.deepEqual(eachOnce(['c', 'b', 'a', 'b', 'z'], keyOf), ['c', 'b', 'a', 'z'])
})
