import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allTechniques, isTechnique, TACTICS, techniqueOf } from './techniques.ts'

test('a technique has its name and tactics, in any spelling of its id', () => {
  assert.deepEqual(techniqueOf('t1059.001'), {
    id: 'T1059.001',
    name: 'PowerShell',
    tactics: ['execution'],
    replaced_by: null,
  })
  assert.deepEqual(techniqueOf('T0858')?.tactics, ['execution', 'evasion'])
})

test('a revoked technique is known, and so is what took its place', () => {
  assert.equal(techniqueOf('T1562.001')?.replaced_by, 'T1685')
  assert.equal(techniqueOf('T1086')?.replaced_by, 'T1059.001')
})

test('what is no technique is none', () => {
  for (const id of ['T9999', 'TA0001', 'T1059.999', '', 'constructor']) {
    assert.equal(isTechnique(id), false, id)
  }
})

test('the list is whole: tactics exist, sub-techniques have their technique', () => {
  const known = allTechniques()
  assert.ok(known.length > 700)
  for (const { id, name, tactics } of known) {
    assert.match(id, /^T\d{4}(\.\d{3})?$/)
    assert.ok(name.length > 1, id)
    for (const tactic of tactics) assert.ok(TACTICS[tactic], `${id} ${tactic}`)
    const [whole = ''] = id.split('.')
    assert.ok(isTechnique(whole), id)
  }
})
