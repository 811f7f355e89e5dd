import type { Language } from '@manara/player-contract/settings'
import { localTime } from '@manara/posix-tz/local-time'
import type { Facts } from './facts.ts'
import { digits, WORDS } from './words.ts'

type ClockFace = Pick<Facts, 'zone' | 'language' | 'time_format_24h'>

/** `15:42`, or `3:42` with its half of the day beside it. */
export function clockFace(epochMs: number, { zone, language, time_format_24h }: ClockFace) {
  const { hour, minute } = localTime(zone, epochMs)
  const minutes = String(minute).padStart(2, '0')
  if (time_format_24h) {
    return { clock: digits(`${String(hour).padStart(2, '0')}:${minutes}`, language), half: '' }
  }
  return {
    clock: digits(`${hour % 12 || 12}:${minutes}`, language),
    half: WORDS[language].halves[hour < 12 ? 0 : 1],
  }
}

/** The same in one piece. */
export function clockText(epochMs: number, face: ClockFace): string {
  const { clock, half } = clockFace(epochMs, face)
  return half ? `${clock} ${half}` : clock
}

/** `4:07`, and `1:58:07` from an hour on. */
export function playTime(ms: number, language: Language): string {
  const all = Math.max(0, Math.floor(ms / 1000))
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  const text = hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`
  return digits(text, language)
}

// Nobody counts the seconds of an hour; and each one shown is a redraw.
const SECONDS_SHOW_BELOW_MS = 10 * 60_000

/** A countdown ends at 0:00, not a second before: what is left is rounded up. */
export function timeUntil(ms: number, language: Language): string {
  const words = WORDS[language]
  const whole = Math.ceil(Math.max(0, ms) / 1000) * 1000
  if (whole < SECONDS_SHOW_BELOW_MS) return words.inSeconds(playTime(whole, language))
  const minutes = Math.ceil(whole / 60_000)
  const rest = digits(minutes % 60, language)
  if (minutes < 60) return words.inMinutes(rest)
  return words.inHours(digits(Math.floor(minutes / 60), language), rest)
}
