import type { BootRecord, Slot } from '@manara/player-contract/firmware'

/** One start that was cut short by pulling the plug must not cost the update. */
const TRIES = 2

export type BootPlan = {
  slot: Slot
  /** To be on disk before the version is started: a crash must not be forgotten. */
  record: BootRecord
  store: 'leave' | 'keep a snapshot' | 'restore the snapshot'
}

/** What to start now. `isWhole` says whether a slot holds a complete version. */
export function planBoot(record: BootRecord, isWhole: (slot: Slot) => boolean): BootPlan {
  const { pending } = record
  const proven = provenOf(record, isWhole)
  if (!pending) return { slot: proven, record, store: 'leave' }
  if (pending.tries_left === 0 || !isWhole(pending.slot)) {
    return {
      slot: proven,
      record: rolledBack(record),
      store: pending.has_snapshot ? 'restore the snapshot' : 'leave',
    }
  }
  return {
    slot: pending.slot,
    record: {
      ...record,
      pending: { ...pending, tries_left: pending.tries_left - 1, has_snapshot: true },
    },
    store: pending.has_snapshot ? 'leave' : 'keep a snapshot',
  }
}

/** The newest version that is known to work and is there. */
export function provenOf({ active, before }: BootRecord, isWhole: (slot: Slot) => boolean): Slot {
  return [active, before].find((slot) => slot !== null && isWhole(slot)) ?? 'factory'
}

function rolledBack(record: BootRecord): BootRecord {
  const { version = '', problem } = record.pending ?? {}
  const error = `${version} was rolled back: ${problem || `it did not come up in ${TRIES} starts`}`
  return { ...record, pending: null, last: { status: 'rolled_back', version, error } }
}

export const spareSlot = ({ active }: BootRecord): 'a' | 'b' => (active === 'a' ? 'b' : 'a')

export function staged(
  record: BootRecord,
  update: { slot: 'a' | 'b'; version: string; mode: 'pull' | 'upload' },
): BootRecord {
  const pending = { ...update, tries_left: TRIES, has_snapshot: false, problem: '' }
  return { ...record, pending, last: null }
}

/** The new version has proven itself. */
export function confirmed(record: BootRecord): BootRecord {
  const { pending } = record
  if (!pending) return record
  const last = { status: 'success' as const, version: pending.version, error: '' }
  return { ...record, active: pending.slot, before: record.active, pending: null, last }
}

/** The new version has found itself to be broken: the next start is the one before. */
export function condemned(record: BootRecord, problem: string): BootRecord {
  if (!record.pending) return record
  return { ...record, pending: { ...record.pending, tries_left: 0, problem } }
}

/** The proven version is damaged for good: the one before it takes its place. */
export function fallenBack(record: BootRecord, version: string, problem: string): BootRecord {
  const error = `${version} was damaged on the disk: ${problem}`
  const last = { status: 'rolled_back' as const, version, error }
  return { ...record, active: record.before ?? 'factory', before: null, last }
}
