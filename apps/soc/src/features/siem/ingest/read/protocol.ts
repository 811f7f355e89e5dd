import type { Matching, SharedRules } from '../../../../core/arrivals/matched.ts'
import type { PackedLogs, StoredLog } from '../../../../ports/log-store.ts'
import type { NormalisedLog } from '../../normalise/normalise.ts'
import type { EnabledParser } from '../../normalise/own/own-parsers.ts'
import type { Rejection } from '../piece.ts'
import type { Part, Reading } from './part.ts'

/** What the service asks of the thread that reads events. */
export type ReaderCalls = {
  /** Counts the events of a reading; `from` were read before, those in `unread` take too long. */
  open(id: number, reading: Reading, from: number, unread: number[]): Rejection | undefined
  next(id: number): Part
  close(id: number): void
  /** The parsers of the user's own that read from the next event on. */
  parsers(enabled: EnabledParser[]): void
  /** The rules that are matched from the next part on. */
  rules(shared: SharedRules | undefined): void
}

export type ReaderData = {
  progress: SharedArrayBuffer
  /** The address of a module that packs events for their store. */
  packer: string | undefined
  /** Addresses of modules that make a sieve each. */
  sieves: string[]
  /** The address of a module that matches rules. */
  matching: string | undefined
}

/** Made once in a thread; says of each event whether somebody has to look at it. */
export type Sieve = (log: NormalisedLog) => boolean
export type SieveMaker = { createSieve(): Sieve }

export type MatchingMaker = { createMatching(): Matching }

/** One pack after the other. */
export type Packer = {
  beginPack(): { add(log: NormalisedLog): void; finish(): PackedLogs }
  unpackLogs(packed: PackedLogs): StoredLog[]
}

/** Shared between the threads: which event of which reading is being read, and how many were. */
export const PROGRESS = { reading: 0, index: 1, count: 2, length: 3 } as const
