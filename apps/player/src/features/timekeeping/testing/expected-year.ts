import type { PrayerConfig } from '@manara/prayer-times/methods'
import { prayerTimes } from '@manara/prayer-times/prayer-times'

/** One run of the box: its clock is trusted from `trusted_at`, and the power is cut at `cut_at`. */
export type Life = { boot_at: number; trusted_at: number; cut_at: number }

export type Due = { name: string; at: number }
export type Happening = Due & { happens_at: number }

export type Daily = { id: number; hour: number; minute: number; days: number }

const GRACE_MS = 60_000
const HOUR_MS = 3_600_000

/** The platform's own time zone data, as a second opinion on the POSIX rule. */
export function createWallReader(timeZone: string) {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  return (epochMs: number) => format.format(epochMs)
}

export const datesOf = (year: number): string[] =>
  Array.from({ length: 366 }, (_, day) =>
    new Date(Date.UTC(year, 0, 1 + day)).toISOString().slice(0, 10),
  ).filter((date) => date.startsWith(String(year)))

/** The first moment at which the clock on the wall shows it, or has gone past it. */
function epochOnWall(read: (epochMs: number) => string, date: string, time: string): number {
  const wanted = `${date} ${time}`
  const earliest = Date.parse(`${date}T${time}Z`) - 3 * HOUR_MS
  for (let at = earliest; ; at += GRACE_MS)
    if (read(at) >= wanted && read(at - GRACE_MS) < wanted) return at
}

export function expectedAdhans(
  dates: string[],
  place: { lat: number; lng: number },
  config: PrayerConfig,
): Due[] {
  return dates.flatMap((text) => {
    const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
    const { sunrise: _, ...called } = prayerTimes({ year, month, day }, place, config)
    return Object.entries(called).map(([name, at]) => ({ name, at }))
  })
}

export function expectedSchedules(
  read: (epochMs: number) => string,
  dates: string[],
  { id, hour, minute, days }: Daily,
): Due[] {
  const time = [hour, minute].map((value) => String(value).padStart(2, '0')).join(':')
  return dates
    .filter((date) => days & (1 << new Date(`${date}T00:00Z`).getUTCDay()))
    .map((date) => ({ name: String(id), at: epochOnWall(read, date, time) }))
}

/** Once, in the first life whose clock is trusted within a minute of it. */
export function adhansThatSound(adhans: Due[], lives: Life[]): Happening[] {
  return adhans.flatMap((due) => {
    const life = lives.find(({ trusted_at, cut_at }) => canHappen(due, trusted_at, cut_at))
    return life ? [{ ...due, happens_at: Math.max(due.at, life.trusted_at) }] : []
  })
}

/** As the adhan, but after one that sounds; what the power cut off while it waited is lost. */
export function schedulesThatFire(
  schedules: Due[],
  adhans: Happening[],
  lives: Life[],
  adhan_ms: number,
): Happening[] {
  return schedules.flatMap((due) => {
    for (const { trusted_at, cut_at } of lives) {
      if (!canHappen(due, trusted_at, cut_at)) continue
      const wanted = Math.max(due.at, trusted_at)
      const sounding = adhans.find(
        ({ happens_at }) =>
          happens_at >= trusted_at && happens_at <= wanted && wanted < happens_at + adhan_ms,
      )
      const happens_at = sounding ? sounding.happens_at + adhan_ms : wanted
      if (happens_at < cut_at) return [{ ...due, happens_at }]
    }
    return []
  })
}

const canHappen = ({ at }: Due, trusted_at: number, cut_at: number) =>
  at < cut_at && trusted_at <= at + GRACE_MS && trusted_at < cut_at
