import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { LogStore, StoredLog } from '../../../ports/log-store.ts'
import { LONGEST_ID } from '../normalise/take-common.ts'

/** The index that a document with an id of its own was sent to: its id is unique there alone. */
export const INDEX = '_index'

const DAY_MS = 86_400_000
/** Asked for at once: the store goes through the events of a day for them. */
const MOST_IDS = 1_000

type Target = Pick<LogStore, 'append'> & Partial<Pick<LogStore, 'byIds'>>

/**
 * The store knows events by their id. Of documents whose id it knew, those that another index holds
 * are stored under an id of their own; answers them by their place. What was sent again is not.
 */
export async function storeOthers(
  target: Target,
  logs: StoredLog[],
  known: ReadonlySet<number>,
): Promise<Map<number, StoredLog>> {
  const kept = new Map<number, StoredLog>()
  if (!target.byIds || known.size === 0) return kept
  const others = new Map<string, [place: number, log: StoredLog]>()
  const places = [...known]
  for (let from = 0; from < places.length; from += MOST_IDS) {
    const some = places.slice(from, from + MOST_IDS)
    const before = await storedUnder(
      target.byIds,
      some.flatMap((place) => logs[place] ?? []),
    )
    for (const place of some) {
      const log = logs[place] as StoredLog
      if (before.get(log.id)?.some((one) => isSame(one, log))) continue
      const other = { ...log, id: otherId(log) }
      if (!others.has(other.id)) others.set(other.id, [place, other])
    }
  }
  if (others.size === 0) return kept
  const { stored } = await target.append([...others.values()].map(([, log]) => log))
  for (const { id } of stored) {
    const [place, log] = others.get(id) as [number, StoredLog]
    kept.set(place, log)
  }
  return kept
}

async function storedUnder(byIds: LogStore['byIds'], logs: StoredLog[]) {
  const earliest = logs.reduce((least, log) => Math.min(least, log.received_at), Infinity)
  const ids = new Set(logs.map(({ id }) => id))
  const found = await byIds([...ids], { from: earliest - DAY_MS })
  return Map.groupBy(found, ({ id }) => id)
}

/** Whether this was sent again: to the same index, or unchanged to the one that came after it. */
function isSame(before: StoredLog, log: StoredLog): boolean {
  // Events that were stored without their index have it as their source, if they name no other.
  const name = INDEX in before.fields && INDEX in log.fields ? indexOf : sourceOf
  const [was, is] = [name(before), name(log)]
  return was === is || (withoutDate(was) === withoutDate(is) && isAlike(before, log))
}

const indexOf = ({ fields }: StoredLog) => String(fields[INDEX])
const sourceOf = ({ source }: StoredLog) => source

// `-2026.11.17`, `-2026.11`, `-2026.w46`, `-2026.11.17-05`, `-20261117`, `-000001`.
const DATE = /(?:[-_.](?:\d{4}|w?\d{1,2}|\d{6}|\d{8}))+$/i

const withoutDate = (index: string) => withoutEnd(index, DATE)

/** Looked for where a date has room: a long name full of them would take long. */
const LONGEST_DATE = 40

export const withoutEnd = (index: string, end: RegExp) =>
  index.slice(0, -LONGEST_DATE) + index.slice(-LONGEST_DATE).replace(end, '')

function isAlike(one: StoredLog, other: StoredLog): boolean {
  const hasSameTime = one.at === other.at || (hasNoTime(one) && hasNoTime(other))
  return (
    hasSameTime &&
    one.message === other.message &&
    isDeepStrictEqual({ ...one.fields, [INDEX]: null }, { ...other.fields, [INDEX]: null })
  )
}

const hasNoTime = (log: StoredLog) => log.at === log.received_at

function otherId(log: StoredLog): string {
  const id = `${log.id}@${log.fields[INDEX] ?? log.source}`
  return id.length <= LONGEST_ID ? id : createHash('sha256').update(id).digest('hex')
}
