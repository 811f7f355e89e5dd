/**
 * Diyanet's rules for the north, in force since 2023: what its criteria (awqatsalah.com) say, and where they
 * leave something open, what its printed tables of Swedish and German cities do.
 */
export type NorthernRule =
  /** A part of the night between sunset and sunrise, in the weeks that know no true dawn. */
  | { kind: 'northern_night'; portion: number }
  /** Evenly between the angle and that part of the night, over the last 20 minutes. */
  | { kind: 'northern_change' }
  /** Day and night are at least five hours long. */
  | { kind: 'northern_five_hours' }
  /** Asr right after Dhuhr, where the sun casts no shadow. */
  | { kind: 'northern_no_shadow' }

/** A day of the north, with temkin, in milliseconds from its 0 h UT. */
export type NorthernSun = {
  /** Null in the weeks when the sun does not sink so low. */
  fajr: number | null
  isha: number | null
  sunrise: number
  maghrib: number
  /** Whether sunrise or Maghrib are not when the sun is there, for the sake of five hours. */
  isClamped: boolean
}

/** The weeks without a true dawn, or midsummer alone, and which part of a night Isha takes in them. */
export type Season = { first: number; last: number; portion: number }

export const NORTHERN_ISHA_ANGLE = 16

const FAJR_TO_ISHA = 18 / NORTHERN_ISHA_ANGLE
const DAY_MS = 86_400_000
/** How far from the estimate the times by angle are left. */
const CHANGE_MS = 20 * 60_000

const nightOf = ({ sunrise, maghrib }: NorthernSun) => DAY_MS + sunrise - maghrib

/** Isha is a third of the way from sunset to the last true dawn. */
export function seasonOf(year: readonly NorthernSun[], midsummer: number): Season {
  const isWithout = (index: number) => year[index]?.fajr === null
  let [first, last] = [midsummer, midsummer]
  while (isWithout(first) && isWithout(first - 1)) first--
  while (isWithout(last) && isWithout(last + 1)) last++
  const model = year[isWithout(first) ? first - 1 : first]
  const portion =
    model && model.fajr !== null
      ? (model.fajr + DAY_MS - model.maghrib) / (3 * nightOf(model))
      : 1 / 6
  return { first, last, portion }
}

type Twilight = {
  day: NorthernSun
  at: number
  rule: NorthernRule | { kind: 'angle'; angle: number }
}

/** Fajr or Isha of a day: by its angle, by the estimate, or on the way from the one to the other. */
export function twilightOn(
  year: readonly NorthernSun[],
  index: number,
  { first, last, portion }: Season,
  prayer: 'fajr' | 'isha',
  angle: number,
): Twilight {
  const share = prayer === 'fajr' ? portion * FAJR_TO_ISHA : portion
  const estimated = (day: NorthernSun) =>
    prayer === 'fajr' ? day.sunrise - share * nightOf(day) : day.maghrib + share * nightOf(day)
  const byAngle = (at: number) => year[at]?.[prayer] ?? null
  const own = byAngle(index)
  const [today, from, to] = [year[index], year[first], year[last]]
  if (!today || !from || !to) throw new RangeError(`no day ${index} in the year`)

  const margin = prayer === 'fajr' ? CHANGE_MS : -CHANGE_MS
  const spring = leaving(byAngle, first, -1, estimated(from) + margin, prayer)
  const autumn = leaving(byAngle, last, 1, estimated(to) + margin, prayer)
  const isEstimated = index >= first && index <= last
  if (own !== null && (spring === null || autumn === null || index < spring || index > autumn))
    return { day: today, at: own, rule: { kind: 'angle', angle } }
  if (isEstimated || spring === null || autumn === null)
    return { day: today, at: estimated(today), rule: { kind: 'northern_night', portion: share } }
  const [edge, end, goal] = index < first ? [spring, first, from] : [autumn, last, to]
  const left = (index - end) / (edge - end)
  return { day: today, at: estimated(goal) + left * margin, rule: { kind: 'northern_change' } }
}

/** On which day, as a fraction, the time by angle is as far from the estimate as it is left. */
function leaving(
  byAngle: (index: number) => number | null,
  edge: number,
  step: 1 | -1,
  limit: number,
  prayer: 'fajr' | 'isha',
): number | null {
  for (let index = edge + step; ; index += step) {
    const at = byAngle(index)
    if (at === null) {
      if (index < 0 || index > 365) return null
      continue
    }
    if (prayer === 'fajr' ? at < limit : at > limit) continue
    const within = byAngle(index - step)
    return within === null ? null : index - (step * (limit - at)) / (within - at)
  }
}
