import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlaybookDefinition } from '@manara/soc-contract/playbooks'
import { differences } from './differences.ts'
import { graveChanges } from './grave-changes.ts'

const step = { id: 's', action: 'wait', params: { seconds: 1 } }
const critical = PlaybookDefinition.parse({ name: 'Grave', is_critical: true, steps: [step] })
const ordinary = { ...critical, is_critical: false }
const off = { ...critical, enabled: false }
const named = { ...critical, approvers: ['noor'] }

for (const [what, before, after, grave] of [
  ['uncritical', critical, ordinary, ['is_critical']],
  ['other steps', critical, { ...critical, steps: [{ ...step, id: 'other' }] }, ['steps']],
  ['switched on', off, critical, ['enabled']],
  ['switched off', critical, off, []],
  ['other approvers', critical, named, ['approvers']],
  ['approvers of an ordinary one', { ...ordinary, approvers: ['noor'] }, ordinary, ['approvers']],
  ['a trigger', critical, { ...critical, trigger: { on: 'alert.created' } }, ['trigger']],
  ['another name', critical, { ...critical, name: 'Graver', tags: ['x'] }, []],
  ['becoming critical', ordinary, critical, []],
  ['ordinary steps', ordinary, { ...ordinary, steps: [] }, []],
] as const) {
  test(`a critical playbook, ${what}: ${grave.join() || 'one person will do'}`, () => {
    assert.deepEqual(graveChanges(before as PlaybookDefinition, after as PlaybookDefinition), grave)
  })
}

test('differences are named by JSON pointers, down to the leaf', () => {
  assert.deepEqual(
    differences(
      { same: [1], steps: [{ id: 'a', 'p/q': 1 }], gone: { x: 1 } },
      { same: [1], steps: [{ id: 'a', 'p/q': 2 }, { id: 'b' }], constructor: 'own' },
    ),
    [
      { path: '/steps/0/p~1q', before: 1, after: 2 },
      { path: '/steps/1', before: null, after: { id: 'b' } },
      { path: '/gone', before: { x: 1 }, after: null },
      { path: '/constructor', before: null, after: 'own' },
    ],
  )
})
