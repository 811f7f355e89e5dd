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
 * What was read of a part. With a packer events are made ready for all who handle them later as soon
 * as some were read and then let go: kept until all were read, most of them would be moved by the
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
    add(some: readonly NormalisedLog[], characters: readonly number[]) {
      if (some.length === 0) return
      if (!packer) {
        logs.push(...some)
        return
      }
      bundle ??= beginBundle(packer, sieves, matching)
      bundle.add(some, characters)
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
    /** One after the other does its work, as the steps of reading do. */
    add(logs: readonly NormalisedLog[], characters: readonly number[]) {
      for (const log of logs) pack.add(log)
      if (lines) for (const log of logs) lines.add(log)
      for (const log of logs) tally.add(log)
      for (const [place, log] of logs.entries()) matching?.add(log, characters[place] as number)
      for (const [at, isPicked] of sieves.entries()) {
        for (const [place, log] of logs.entries()) {
          if (!isPicked(log)) continue
          picked[at]?.places.push(size + place)
          picked[at]?.logs.push(log)
        }
      }
      receivedAt = logs.at(-1)?.received_at ?? receivedAt
      size += logs.length
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
