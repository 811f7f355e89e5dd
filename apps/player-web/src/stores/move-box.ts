import type { PrayerConfigBody } from '@manara/player-contract/prayer-config'
import { type Api, Refused } from './api.ts'
import { latinDigits } from './surah-search.ts'

type Move = {
  place: PrayerConfigBody
  /** Undefined where the zone is not known: it stays. */
  timezone: string | undefined
  /** The zone as it is. */
  before: string | undefined
}

/** The zone first: the times of a place, and what was called there today, are told by it. Both, or neither. */
export async function moveBox(api: Pick<Api, 'post'>, { place, timezone, before }: Move) {
  if (timezone) await api.post('/settings/timezone', { timezone })
  try {
    await api.post('/prayer/config', place)
  } catch (error) {
    // Without an answer it may have been taken. Why it failed is what matters, also when this fails.
    if (timezone && before && error instanceof Refused)
      await api.post('/settings/timezone', { timezone: before }).catch(() => {})
    throw error
  }
}

/** Typed on a keyboard of any language: 30.04, 30,04, ٣٠٫٠٤, −74. NaN for what is no number. */
export function readDegrees(text: string): number {
  const plain = latinDigits(text.trim()).replace(/[,٫،]/, '.').replace(/[−–]/, '-')
  return plain === '' ? Number.NaN : Number(plain)
}
