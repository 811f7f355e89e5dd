import { handOver } from '@manara/kit/thread/hand-over'
import { beginLines, linesOf } from '../../../../core/arrivals/log-lines.ts'
import type { Matching } from '../../../../core/arrivals/matched.ts'
import type { NormalisedLog } from '../../normalise/normalise.ts'
import type { Picked } from '../picked.ts'
import { beginTally } from '../tally.ts'
import type { Bundle, Part } from './part.ts'
import type { Packer, Sieve } from './protocol.ts'

export type Gathering = ReturnType<typeof gatherEvents>

/**
 * What was read of a part. With a packer each event is made ready for all who handle it later as soon
 * as it was read and then let go: kept until all were read, most of them would be moved by the
 * collector.
 */
export function gatherEvents(
  packer: Packer | undefined,
  sieves: readonly Sieve[],
  matching?: Matching,
) {
  const logs: NormalisedLog[] = []
  let bundle: ReturnType<typeof beginBundle> | undefined
  return {
    /** `characters` as `sizeOf` counts them. */
    add(log: NormalisedLog, characters: number) {
      if (!packer) return logs.push(log)
      bundle ??= beginBundle(packer, sieves, matching)
      bundle.add(log, characters)
    },
    /** Memory of the bundle is given away with the part, so that it is not copied. */
    into(part: Part): Part {
      const made = bundle?.finish()
      if (!made) return { ...part, logs }
      const { packed, lines } = made
      return handOver({ ...part, bundle: made }, packed.bytes, ...(lines ? [lines.buffer] : []))
    },
  }
}

function beginBundle(packer: Packer, sieves: readonly Sieve[], rules: Matching | undefined) {
  const pack = packer.beginPack()
  const tally = beginTally()
  const matching = rules?.begin()
  const lines = matching ? undefined : beginLines()
  const picked = sieves.map((): Picked => ({ places: [], logs: [] }))
  let size = 0
  let receivedAt = 0
  return {
    add(log: NormalisedLog, characters: number) {
      pack.add(log)
      lines?.add(log)
      tally.add(log)
      matching?.add(log, characters)
      for (let at = 0; at < sieves.length; at += 1) {
        if (!sieves[at]?.(log)) continue
        picked[at]?.places.push(size)
        picked[at]?.logs.push(log)
      }
      receivedAt = log.received_at
      size += 1
    },
    finish(): Bundle {
      const packed = pack.finish()
      const matched = matching?.finish()
      return {
        packed,
        lines: matched ? undefined : (lines?.finish() ?? linesOf(packer.unpackLogs(packed))),
        ...{ tally: tally.finish(), receivedAt, picked, matched },
      }
    },
  }
}
