import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Memory } from '@manara/ui/preferences'
import { createAsked } from './asked.ts'

function tab() {
  const kept = new Map<string, string>()
  const memory: Memory = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
  let now = 0
  const by = (owner: string) => createAsked({ memory, now: () => now, owner: () => owner })
  return { by, kept, pass: (ms: number) => (now += ms) }
}

const one = { approvalId: 'a', playbookId: 'isolate-host', parameters: { host: 'web-1' } }

test('what was asked for is known after a reload, by its playbook, until it is done', () => {
  const { by } = tab()
  by('rana').add(one)
  const again = by('rana')
  assert.deepEqual(again.of('isolate-host'), [{ ...one, at: 0 }])
  assert.deepEqual(again.of('another'), [])
  again.drop('a')
  assert.deepEqual(by('rana').of('isolate-host'), [])
})

test('what is asked for again while it waits is one', () => {
  const { by, pass } = tab()
  by('rana').add(one)
  pass(1_000)
  by('rana').add(one)
  assert.deepEqual(by('rana').of('isolate-host'), [{ ...one, at: 1_000 }])
})

test('another person finds none of it', () => {
  const { by } = tab()
  by('rana').add(one)
  assert.deepEqual(by('sami').of('isolate-host'), [])
})

test('an approval that has expired is forgotten', () => {
  const { by, pass } = tab()
  by('rana').add(one)
  pass(4 * 3_600_000)
  assert.deepEqual(by('rana').of('isolate-host'), [])
})

test('what cannot be read is nothing', () => {
  const { by, kept } = tab()
  kept.set('asked', '{')
  assert.deepEqual(by('rana').of('isolate-host'), [])
})
