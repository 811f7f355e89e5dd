const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const HALF_MONTH_MS = 15 * DAY_MS
// Long enough that the last Sunday of a month has been its fourth and its fifth.
const HALF_MONTHS = 24 * 6

/** A moment at which clocks are put forward or back, and what they were from Greenwich, in minutes. */
type Change = { epoch: number; before: number; after: number }

/** The rule that the clocks of a zone go by, as the browser knows them; undefined where none holds for years. */
export function zoneRule(zone: string, now: number): string | undefined {
  const offsetAt = offsetsOf(zone)
  if (!offsetAt) return undefined
  const changes = changesFrom(now, offsetAt)
  const standard = offsetAt(now)
  if (changes.length === 0) return part(standard)
  const forward = changes.filter(({ before, after }) => after > before)
  const back = changes.filter(({ before, after }) => after < before)
  const [begins, ends] = [dayOf(forward), dayOf(back)]
  const [first] = back
  if (!begins || !ends || !first) return undefined
  return `${part(first.after)}${part(first.before)},${begins},${ends}`
}

function offsetsOf(zone: string): ((epoch: number) => number) | undefined {
  try {
    const clock = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    return (epoch) => {
      const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(clock.format(epoch)) ?? []
      return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0))
    }
  } catch {
    return undefined
  }
}

function changesFrom(now: number, offsetAt: (epoch: number) => number): Change[] {
  const start = now - (now % MINUTE_MS)
  return Array.from({ length: HALF_MONTHS }, (_, at) => start + at * HALF_MONTH_MS).flatMap(
    (from) => {
      const [before, after] = [offsetAt(from), offsetAt(from + HALF_MONTH_MS)]
      if (before === after) return []
      let [early, late] = [from, from + HALF_MONTH_MS]
      while (late - early > MINUTE_MS) {
        const middle = early + Math.floor((late - early) / 2 / MINUTE_MS) * MINUTE_MS
        if (offsetAt(middle) === before) early = middle
        else late = middle
      }
      return [{ epoch: late, before, after }]
    },
  )
}

/** The one day of the year, such as the last Sunday of March, that all these changes are on. */
const dayOf = (changes: Change[]): string | undefined =>
  changes
    .map(daysOf)
    .reduce((kept, days) => kept.filter((day) => days.includes(day)), daysOf(changes[0]))
    .at(0)

/** All that its day can be called. An hour before a Sunday is said of the Sunday: rules count on from its midnight. */
function daysOf(change: Change | undefined): string[] {
  if (!change) return []
  const wall = change.epoch + change.before * MINUTE_MS
  return [0, 1, -1].flatMap((days) => {
    const day = new Date(wall - (wall % DAY_MS) + days * DAY_MS)
    const isLast = new Date(day.getTime() + 7 * DAY_MS).getUTCMonth() !== day.getUTCMonth()
    const weeks = [Math.ceil(day.getUTCDate() / 7), ...(isLast ? [5] : [])]
    const time = hours((wall - day.getTime()) / MINUTE_MS)
    return weeks.map((week) => `M${day.getUTCMonth() + 1}.${week}.${day.getUTCDay()}/${time}`)
  })
}

/** A rule counts to the west. */
const part = (offset: number) => {
  const name = hours(Math.abs(offset)).padStart(5, '0').replace(':', '')
  return `<${offset < 0 ? '-' : '+'}${name}>${hours(-offset)}`
}

function hours(minutes: number): string {
  const length = Math.abs(minutes)
  const rest = String(length % 60).padStart(2, '0')
  return `${minutes < 0 ? '-' : ''}${Math.floor(length / 60)}:${rest}`
}
