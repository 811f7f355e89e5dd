import type { Logger } from '@manara/kit/logging'
import type { Almanac } from './almanac.ts'
import type { PrayerMoment } from './domain/adhan-times.ts'
import { type SoundAdhanDeps, soundAdhan } from './sound-adhan.ts'

type AgendaDeps = {
  almanac: Pick<Almanac, 'moments' | 'adhans'>
  adhan: SoundAdhanDeps
  /** The next prayer is another now. */
  onPrayer(): void
  log: Pick<Logger, 'debug'>
}

/** What the timekeeper does when a prayer begins, and when its adhan is due. */
export const prayerAgendas = ({ almanac, adhan, onPrayer, log }: AgendaDeps) => ({
  begins: {
    occasions: almanac.moments,
    due: async () => onPrayer(),
    missed() {},
    isOnce: false,
    waitsForAdhan: false,
  },
  adhans: {
    occasions: almanac.adhans,
    // Two at once come from offsets that meet: the later one is the prayer that is on.
    due: (moments: PrayerMoment[]) => soundAdhan(adhan, moments.at(-1)?.prayer ?? 'manual'),
    missed: (moments: PrayerMoment[]) => log.debug({ moments }, 'adhan missed'),
    isOnce: true,
    waitsForAdhan: false,
  },
})
