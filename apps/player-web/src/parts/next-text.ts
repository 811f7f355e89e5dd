import { box, clock, say } from '../here.ts'
import { boxClock } from './box-clock.ts'

const DAY_S = 24 * 60 * 60

/** When something comes: within a day as a length, later by the day, so that nobody need count. */
export function nextText(seconds: number): string {
  const { t, fill, ago } = say.value
  const now = box.secondsNow(clock.value)
  if (seconds - now < DAY_S) return fill(t.schedules.next, { t: ago(now - seconds) })
  const day = boxClock(seconds).getUTCDay()
  return fill(t.schedules.nextOn, { d: t.schedules.days[day] ?? '' })
}
