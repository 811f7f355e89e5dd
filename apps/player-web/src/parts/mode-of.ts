import type { ModeBody } from '@manara/player-contract/mode'
import type { PlaybackStatus } from '@manara/player-contract/playback'
import { SURAHS } from '@manara/player-contract/surahs'

type Status = Pick<PlaybackStatus, 'advance_mode' | 'hifz' | 'loop'>

/** The request that would bring about what is set now. */
export function modeOf({ advance_mode: mode, hifz, loop }: Status): ModeBody {
  if (loop) return { mode, loop }
  if (!hifz) return { mode }
  const { repeat_target: repeat, pause_s, ab_start, ab_end, verse_from, verse_to } = hifz
  if (ab_start !== undefined && ab_end !== undefined)
    return { mode, repeat, pause_s, ab: { from: ab_start, to: ab_end } }
  if (verse_from === undefined || verse_to === undefined) return { mode, repeat, pause_s }
  const { repeat: times, method, link, passes, gap_percent, unsure } = hifz
  return {
    mode,
    verses: { from: verse_from, to: verse_to },
    ...{ repeat: times, pause_s, method, passes, gap_percent, unsure },
    ...(method === 'stack' && { link }),
  }
}

/** The same for another surah, which may not have as many verses. */
export function withinSurah(mode: ModeBody, surah = 0): ModeBody {
  const last = SURAHS[surah - 1]?.ayahs
  if (!mode.verses || last === undefined) return mode
  const { from, to } = mode.verses
  return { ...mode, verses: { from: Math.min(from, last), to: Math.min(to, last) } }
}
