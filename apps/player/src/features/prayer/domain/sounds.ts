import type { AdhanEvent, AnnouncementEvent } from '@manara/player-contract/prayer'
import type { PrayerConfig } from '@manara/player-contract/prayer-config'

/** `paths` in the order in which they are tried; the built-in chime comes after them. */
export type Sound = { paths: string[]; volume: number }

/** The prayer's own adhan before the common one: a lost file must not turn a call into a chime. */
export function adhanSound({ adhan }: PrayerConfig, prayer: AdhanEvent['prayer']): Sound {
  const own = prayer === 'manual' || prayer === 'sunrise' ? undefined : adhan.prayers[prayer]
  const path = own?.path ?? adhan.path
  return {
    paths: path === '' ? [] : [...new Set([path, adhan.path])].filter(Boolean),
    volume: own?.volume ?? adhan.volume,
  }
}

/** Undefined where nothing is to sound. */
export function noticeSound(
  config: PrayerConfig,
  kind: AnnouncementEvent['kind'],
): Sound | undefined {
  const { path, volume } = config[kind]
  return path === null ? undefined : { paths: path === '' ? [] : [path], volume }
}

/** What is heard where one cannot be played, as its owner reads it. */
export const INSTEAD = {
  adhan: 'the built-in chime announces prayers instead',
  own: 'the common adhan calls instead',
  dua: 'no dua follows the adhan',
  notice: 'the built-in chime is heard instead',
}

/** `field` is one of `soundPaths`. */
export function insteadOf({ adhan }: PrayerConfig, field: string): string {
  if (field === 'adhan.dua_path') return INSTEAD.dua
  if (!field.startsWith('adhan.')) return INSTEAD.notice
  return field === 'adhan.path' || adhan.path === '' ? INSTEAD.adhan : INSTEAD.own
}

/** Every file that was chosen, by the field that names it. */
export function soundPaths({ adhan, reminder, iqama }: PrayerConfig): Record<string, string> {
  const chosen: [field: string, path: string | null][] = [
    ['adhan.path', adhan.path],
    ...Object.entries(adhan.prayers).map(([prayer, { path }]): [string, string | null] => [
      `adhan.prayers.${prayer}.path`,
      path,
    ]),
    ['adhan.dua_path', adhan.dua_path],
    ['reminder.path', reminder.path],
    ['iqama.path', iqama.path],
  ]
  return Object.fromEntries(chosen.filter((entry): entry is [string, string] => !!entry[1]))
}
