import { rmSync } from 'node:fs'
import type { Slot } from '@manara/player-contract/firmware'
import { isNoRoom } from '../../db/mend-store.ts'
import { condemned, planBoot, provenOf } from './domain/boot-plan.ts'
import type { Slots } from './slots.ts'
import { keepSnapshot, restoreSnapshot } from './state-snapshot.ts'

/**
 * The launcher's part of a start: decides which slot, keeps or restores the state store, and counts
 * the try before it is made. May be cut anywhere: the next start comes to the same end.
 */
export function bootOnce(slots: Slots, storeFile: string, isWhole = slots.isWhole): Slot {
  const record = slots.readRecord()
  const plan = planBoot(record, isWhole)
  if (plan.record === record) return plan.slot
  if (plan.store === 'keep a snapshot') {
    try {
      keepSnapshot(storeFile, slots.snapshot)
    } catch (error) {
      // A version that could not be undone is not tried.
      const why = `the state could not be kept: ${(error as Error).message}`
      slots.writeRecord(condemned(record, why))
      return bootOnce(slots, storeFile, isWhole)
    }
  }
  if (plan.store === 'restore the snapshot') restoreSnapshot(slots.snapshot, storeFile)
  slots.writeRecord(plan.record)
  if (!plan.record.pending) rmSync(slots.snapshot, { force: true })
  return plan.slot
}

/**
 * What to start where `bootOnce` could not write down what it does. On a disk that is full a version
 * that has been tried gives way at once, and its files make room: it may be what has filled it.
 */
export function giveWay(
  slots: Slots,
  storeFile: string,
  error: unknown,
  isWhole = slots.isWhole,
): Slot {
  const record = slots.readRecord()
  const { pending } = record
  // What cannot be counted is not tried.
  if (!pending?.has_snapshot || !isNoRoom(error)) return provenOf(record, isWhole)
  slots.drop(pending.slot)
  slots.writeRecord(condemned(record, (error as Error).message))
  return bootOnce(slots, storeFile, isWhole)
}
