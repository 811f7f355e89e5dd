import type { PrayerStatus } from '@manara/player-contract/prayer'
import { addDays, formatDate } from '@manara/prayer-times/calendar-date'
import { hijriDate } from '@manara/prayer-times/hijri'
import { forEachPrayer, PRAYERS } from '@manara/prayer-times/prayers'
import { qibla } from '@manara/prayer-times/qibla'
import { type LocalDay, localDate, localDay, type Setting, wallMinute } from './local-day.ts'

type Today = Extract<PrayerStatus, { valid: true }>

/** The day's times with what is now and what comes next. */
export function today(setting: Setting, now: number, dayOf = localDay): Today {
  const { config, zone } = setting
  const date = localDate(zone, now)
  const day = dayOf(setting, date)
  const around = [dayOf(setting, addDays(date, -1)), day, dayOf(setting, addDays(date, 1))]
  const moments = around.flatMap(inOrder).sort((a, b) => a.epoch - b.epoch)
  const next = moments.find(({ epoch }) => epoch > now) ?? fallback(moments.at(-1))
  const current = moments.findLast(({ epoch }) => epoch <= now) ?? fallback(moments[0])
  return {
    valid: true,
    date: formatDate(date),
    ...wallTimes(setting, day),
    current: current.name,
    next: {
      name: next.name,
      time: wallMinute(zone, next.epoch),
      epoch: seconds(next.epoch),
      in_s: Math.max(0, Math.ceil((next.epoch - now) / 1000)),
    },
    hijri: hijriDate(date, config.hijri_adjust),
    qibla: Math.round(qibla(config) * 100) / 100,
    config,
  }
}

export function wallTimes({ zone }: Setting, { epochs }: LocalDay) {
  return {
    times: forEachPrayer((prayer) => wallMinute(zone, epochs[prayer])),
    epochs: forEachPrayer((prayer) => seconds(epochs[prayer])),
  }
}

const inOrder = ({ epochs }: LocalDay) => PRAYERS.map((name) => ({ name, epoch: epochs[name] }))

/** Three days around now hold prayers on both sides of it, whatever the offsets. */
function fallback<T>(moment: T | undefined): T {
  if (moment === undefined) throw new Error('a day without prayers')
  return moment
}

export const seconds = (epochMs: number) => Math.round(epochMs / 1000)
