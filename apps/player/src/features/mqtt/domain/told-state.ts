import type { PlaybackStatus } from '@manara/player-contract/playback'
import type { PrayerStatus } from '@manara/player-contract/prayer'
import { SURAHS } from '@manara/player-contract/surahs'

/** What others in the house may know: nothing of where the box stands, and no address of a stream. */
export function toldState(playback: PlaybackStatus, prayer: PrayerStatus) {
  const { state, volume, reciter, adhan, advance_mode, surah_number } = playback
  return {
    state,
    now_playing: titleOf(playback),
    reciter,
    surah_number,
    volume,
    mode: advance_mode,
    adhan: adhan !== undefined,
    adhan_prayer: adhan ?? '',
    next_prayer: prayer.valid ? prayer.next.name : null,
    next_prayer_at: prayer.valid ? new Date(prayer.next.epoch * 1000).toISOString() : null,
  }
}

function titleOf({ surah_number, station, stream_title, track, mode }: PlaybackStatus): string {
  const surah = SURAHS[surah_number - 1]
  if (surah) return surah.name
  if (mode === 'stream') return stream_title || station || 'stream'
  return track.slice(track.lastIndexOf('/') + 1)
}
