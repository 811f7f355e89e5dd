import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BootRecord } from '@manara/player-contract/firmware'
import { condemned, confirmed, fallenBack, planBoot, spareSlot, staged } from './boot-plan.ts'

const NEW: BootRecord = { active: 'factory', before: null, pending: null, last: null }
const update = { slot: 'a', version: '1.0.0', mode: 'upload' } as const
const always = () => true

test('a box without updates starts as it was set up, and writes nothing', () => {
  const plan = planBoot(NEW, always)
  assert.deepEqual(plan, { slot: 'factory', record: NEW, store: 'leave' })
  assert.equal(plan.record, NEW)
})

test('a new version has two tries; the state is kept before the first and given back after the last', () => {
  const first = planBoot(staged(NEW, update), always)
  assert.deepEqual([first.slot, first.store], ['a', 'keep a snapshot'])
  assert.equal(first.record.pending?.tries_left, 1)
  const second = planBoot(first.record, always)
  assert.deepEqual([second.slot, second.store], ['a', 'leave'])
  const third = planBoot(second.record, always)
  assert.deepEqual([third.slot, third.store], ['factory', 'restore the snapshot'])
  assert.equal(third.record.pending, null)
  assert.equal(third.record.last?.status, 'rolled_back')
  assert.match(third.record.last?.error ?? '', /^1\.0\.0 was rolled back: .* 2 starts$/)
})

test('a version that has proven itself is started from now on; the next goes to the other slot', () => {
  const tried = planBoot(staged(NEW, update), always).record
  const good = confirmed(tried)
  assert.deepEqual(good, {
    active: 'a',
    before: 'factory',
    pending: null,
    last: { status: 'success', version: '1.0.0', error: '' },
  })
  assert.equal(planBoot(good, always).slot, 'a')
  assert.equal(spareSlot(good), 'b')
  assert.equal(spareSlot({ ...good, active: 'b' }), 'a')
})

test('a version that finds itself unwell gets no second try, and its reason is kept', () => {
  const tried = planBoot(staged(NEW, update), always).record
  const plan = planBoot(condemned(tried, 'it does not answer'), always)
  assert.equal(plan.slot, 'factory')
  assert.equal(plan.record.last?.error, '1.0.0 was rolled back: it does not answer')
})

test('a slot that is not whole is never started', () => {
  const torn = planBoot(staged(NEW, update), (slot) => slot === 'factory')
  assert.deepEqual([torn.slot, torn.store], ['factory', 'leave'])
  const lost = planBoot({ ...NEW, active: 'b' }, (slot) => slot === 'factory')
  assert.equal(lost.slot, 'factory')
})

test('a proven version that is damaged gives way to the one before it, then to what the box was set up with', () => {
  const record: BootRecord = { ...NEW, active: 'b', before: 'a' }
  assert.equal(planBoot(record, (slot) => slot !== 'b').slot, 'a')
  const fallen = fallenBack(record, '2.0.0', 'no')
  assert.deepEqual([fallen.active, fallen.before], ['a', null])
  assert.equal(fallen.last?.error, '2.0.0 was damaged on the disk: no')
  assert.equal(fallenBack(fallen, '1.0.0', 'no').active, 'factory')
})

test('without anything on trial nothing can be confirmed or condemned', () => {
  assert.equal(confirmed(NEW), NEW)
  assert.equal(condemned(NEW, 'x'), NEW)
})
