import { clock, say } from '../here.ts'
import { whichOfTwo } from './which-of-two.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** In as few letters as a table has room for: 12s, 4m, 3h, 9d. */
export function shortAge(seconds: number): string {
  const age = Math.max(0, Math.floor(seconds))
  if (age < MINUTE) return `${age}s`
  if (age < HOUR) return `${Math.floor(age / MINUTE)}m`
  if (age < DAY) return `${Math.floor(age / HOUR)}h`
  return `${Math.floor(age / DAY)}d`
}

/** Made once: a screenful of rows asks for dozens of times, and making one takes longer than using it. */
const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

export function localTime(at: string): string {
  const time = new Date(at)
  return LOCAL.format(time) + whichOfTwo(time)
}

/** Both clocks, for hovering over and for copying. */
export const bothTimes = (at: string) =>
  say.value.fill(say.value.t.utc, {
    local: localTime(at),
    utc: at.slice(0, 19).replace('T', ' '),
  })

/** How long ago; the exact time is under the pointer. */
export const Age = ({ at }: { at: string }) => (
  <time class="num soft" dateTime={at} title={bothTimes(at)}>
    {shortAge((clock.value - Date.parse(at)) / 1_000)}
  </time>
)

/** The exact time here; UTC is under the pointer. */
export const Moment = ({ at }: { at: string }) => (
  <time dateTime={at} title={bothTimes(at)}>
    {localTime(at)}
  </time>
)
