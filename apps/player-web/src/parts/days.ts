import type { Words } from '../words/en.ts'

export const EVERY_DAY = 0b111_1111
const WORKDAYS_SUN_THU = 0b001_1111
const WORKDAYS_MON_FRI = 0b011_1110

export const isOn = (days: number, day: number) => (days & (1 << day)) !== 0

/** The days of a schedule in words; bit 0 is Sunday. */
export function daysText(days: number, t: Pick<Words, 'schedules' | 'comma'>): string {
  const { once, daily, sunToThu, monToFri, days: names } = t.schedules
  if (days === 0) return once
  if (days === EVERY_DAY) return daily
  if (days === WORKDAYS_SUN_THU) return sunToThu
  if (days === WORKDAYS_MON_FRI) return monToFri
  return names.filter((_, day) => isOn(days, day)).join(t.comma)
}
