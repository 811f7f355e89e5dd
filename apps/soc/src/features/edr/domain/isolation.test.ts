import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Isolation } from '@manara/soc-contract/edr'
import { decideIsolation, type IsolationCommand, isolationAfter } from './isolation.ts'

const DECIDED: [IsolationCommand, Isolation, string][] = [
  ['isolate', 'none', 'pending'],
  ['isolate', 'pending', 'already'],
  ['isolate', 'isolated', 'already'],
  ['isolate', 'releasing', 'refuse'],
  ['unisolate', 'none', 'refuse'],
  ['unisolate', 'pending', 'withdraw'],
  ['unisolate', 'isolated', 'releasing'],
  ['unisolate', 'releasing', 'already'],
]
for (const [command, current, expected] of DECIDED) {
  test(`${command} of an endpoint that is ${current}: ${expected}`, () => {
    const decision = decideIsolation(command, current)
    assert.equal(decision.kind === 'begin' ? decision.next : decision.kind, expected)
  })
}

test('a command that failed leaves the endpoint as it was', () => {
  assert.equal(isolationAfter('isolate', true), 'isolated')
  assert.equal(isolationAfter('isolate', false), 'none')
  assert.equal(isolationAfter('unisolate', true), 'none')
  assert.equal(isolationAfter('unisolate', false), 'isolated')
})
