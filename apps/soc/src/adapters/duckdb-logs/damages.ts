import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { writeDurably } from '@manara/kit/write-durably'
import type { Damage, Incomplete, LogSelection, TimeRange } from '../../ports/log-store.ts'
import { DAY_MS } from './database.ts'
import type { Mark } from './marks.ts'

/** As it is kept beside the partition, until somebody has seen to it or its time is over. */
export type KeptDamage = Damage & {
  /** Unreadable ones that are still in the file. */
  segments: number[]
  /** The highest number of a segment that the lost events had. */
  seg: number
}

const SUFFIX = '.damage.json'
/** Where damaged files are kept aside. */
const ASIDE = 'damaged'

export type Damages = ReturnType<typeof createDamages>

export function createDamages(directory: string) {
  const aside = path.join(directory, ASIDE)
  const known: KeptDamage[] = []

  for (const file of existsSync(directory) ? readdirSync(directory) : []) {
    if (file.endsWith(SUFFIX)) known.push(...readKept(path.join(directory, file)))
  }

  function keep(file: string) {
    const own = known.filter((damage) => damage.file === file)
    const record = path.join(directory, file + SUFFIX)
    if (own.length === 0) rmSync(record, { force: true })
    else writeDurably(record, `${JSON.stringify(own, null, 2)}\n`, 0o600)
  }

  return {
    list: (): readonly KeptDamage[] => known,
    add(damage: KeptDamage) {
      known.push(damage)
      keep(damage.file)
    },
    /** Where a damaged file is kept aside; a second one of the same name gets a number. */
    placeFor(file: string): string {
      mkdirSync(aside, { recursive: true, mode: 0o700 })
      for (let number = 1; ; number += 1) {
        const place = path.join(aside, `${file}.${number}`)
        if (!existsSync(place)) return place
      }
    },
    /** With the partition its damage is over; what was kept of it goes, too. */
    forget(file: string) {
      for (let at = known.length - 1; at >= 0; at -= 1)
        if (known[at]?.file === file) known.splice(at, 1)
      keep(file)
      if (!existsSync(aside)) return
      for (const kept of readdirSync(aside)) {
        if (kept.startsWith(`${file}.`)) rmSync(path.join(aside, kept), { force: true })
      }
    },
  }
}

/** A record that cannot be read is damage of its own: it must not look as if there were none. */
function readKept(record: string): KeptDamage[] {
  try {
    return JSON.parse(readFileSync(record, 'utf8')) as KeptDamage[]
  } catch {
    const file = path.basename(record, SUFFIX)
    const reason = `what is known about the damage of ${file} cannot be read`
    return [{ ...describe(file, reason, undefined, null), foundAt: Date.now() }]
  }
}

/** Without a mark the events may be of any time until a day after the file's own. */
export function describe(
  file: string,
  reason: string,
  mark: Mark | undefined,
  lost: number | null,
): Omit<KeptDamage, 'foundAt'> {
  const dayEnd = Date.parse(file.slice(0, 10)) + 2 * DAY_MS
  return {
    ...{ file, reason, lost, segments: [], seg: mark?.seg ?? -1 },
    from: mark && mark.events > 0 ? mark.minAt : null,
    to: mark && mark.events > 0 ? mark.maxAt : dayEnd,
  }
}

/** Why an answer over this time may lack events; null when none of that time are lost. */
export function damageIn(damages: readonly Damage[], { time }: LogSelection): Incomplete {
  const touched = damages.filter((damage) => overlaps(damage, time))
  if (touched.length === 0) return null
  const files = [...new Set(touched.map(({ file }) => file))]
  const lost = touched.reduce((sum, one) => sum + (one.lost ?? 0), 0)
  const count = touched.some((one) => one.lost === null) ? 'events' : `${lost} events`
  return {
    reason: 'damaged',
    detail: `${count} of this time are lost, since ${files.length === 1 ? 'a log file was' : 'log files were'} damaged (${files.join(', ')}): restore from a backup, see docs/log-store.md`,
  }
}

const overlaps = ({ from, to }: Damage, time: TimeRange) =>
  (time.from === undefined || to === null || to >= time.from) &&
  (time.to === undefined || from === null || from < time.to)
