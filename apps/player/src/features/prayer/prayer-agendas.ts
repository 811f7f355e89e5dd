import type { Logger } from '@manara/kit/logging'
import type { AnnouncementEvent } from '@manara/player-contract/prayer'
import type { Almanac } from './almanac.ts'
import type { PrayerMoment } from './domain/adhan-times.ts'
import { type SoundAdhanDeps, soundAdhan, soundNotice } from './sound-adhan.ts'

type AgendaDeps = {
  almanac: Pick<Almanac, 'moments' | 'adhans' | 'reminders' | 'iqamas'>
  adhan: SoundAdhanDeps
  /** The next prayer, or whether an iqama is waited for, is another now. */
  onPrayer(): void
  onNotice(event: AnnouncementEvent): void
  log: Pick<Logger, 'debug'>
}

/** What the timekeeper does when a prayer begins, before it, and when its adhan and iqama are due. */
export function prayerAgendas({ almanac, adhan, onPrayer, onNotice, log }: AgendaDeps) {
  const missed = (moments: PrayerMoment[]) => log.debug({ moments }, 'missed')

  async function call(moments: PrayerMoment[]) {
    for (const { prayer } of moments) await soundAdhan(adhan, prayer)
  }

  const notice = (kind: AnnouncementEvent['kind']) => async (moments: PrayerMoment[]) => {
    for (const { prayer } of moments) {
      onNotice({ kind, prayer, phase: 'due' })
      if (kind === 'iqama') onPrayer()
      await soundNotice(adhan, kind, prayer)
    }
  }

  return {
    begins: {
      occasions: almanac.moments,
      due: async () => onPrayer(),
      missed() {},
      isOnce: false,
      waitsForAdhan: false,
      isOneByOne: false,
    },
    adhans: {
      occasions: almanac.adhans,
      due: call,
      missed,
      isOnce: true,
      waitsForAdhan: false,
      // Where the sun hardly rises, Dhuhr and Asr have the same minute for weeks.
      isOneByOne: true,
    },
    reminders: {
      occasions: almanac.reminders,
      due: notice('reminder'),
      missed,
      isOnce: true,
      waitsForAdhan: true,
      isOneByOne: true,
    },
    iqamas: {
      occasions: almanac.iqamas,
      due: notice('iqama'),
      missed,
      isOnce: true,
      waitsForAdhan: true,
      isOneByOne: true,
    },
  }
}
