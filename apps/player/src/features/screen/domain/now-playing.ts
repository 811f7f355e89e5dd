import type { PlaybackStatus } from '@manara/player-contract/playback'
import { SURAHS } from '@manara/player-contract/surahs'
import type { Facts } from './facts.ts'
import { plainText } from './plain-text.ts'
import { playTime } from './time-text.ts'
import { topLine } from './top-line.ts'
import { digits, WORDS } from './words.ts'

/** Stays during the silence between two repetitions, which then counts down. */
export function nowPlaying(facts: Facts) {
  const { playback, language, gap_ms } = facts
  const { mode, position, duration, hifz } = playback
  const words = WORDS[language]
  const isLive = mode === 'stream'
  const isWaiting = hifz?.waiting === true
  // A countdown ends at 0:00, not a second before.
  const left = playTime(Math.ceil(gap_ms / 1000) * 1000, language)
  return {
    screen: 'now-playing' as const,
    isRtl: language === 'ar',
    top: topLine(facts),
    ...titles(playback),
    progress: isLive ? null : duration > 0 ? Math.min(1, position / duration) : 0,
    elapsed: isLive ? '' : playTime(position, language),
    total: isLive || duration === 0 ? '' : playTime(duration, language),
    state: stateOf(facts),
    note: noteOf(facts),
    aside: isWaiting ? words.again(left) : words.volume(digits(playback.volume, language)),
    isWaiting,
  }
}

function titles(playback: PlaybackStatus) {
  const { mode, track, reciter, surah_number, station, stream_title } = playback
  const surah = SURAHS[surah_number - 1]
  if (surah) {
    return {
      title: `سورة ${surah.name_ar}`,
      subtitle: `${surah.number} · ${surah.name}`,
      detail: plainText(reciter),
    }
  }
  if (mode === 'stream') {
    const host = URL.parse(track)?.hostname ?? ''
    return {
      title: plainText(station ?? '') || host,
      subtitle: plainText(stream_title ?? ''),
      detail: station ? host : '',
    }
  }
  const file = track.split('/').at(-1) ?? ''
  return { title: plainText(file.replace(/\.\w+$/, '')), subtitle: plainText(reciter), detail: '' }
}

function stateOf({ playback, language }: Facts): string {
  const { paused, buffering, live } = WORDS[language]
  if (playback.state === 'paused') return paused
  if (playback.state === 'buffering') return buffering
  return playback.mode === 'stream' ? live : ''
}

/** The repetition that is on; in the silence the one that is over. */
function noteOf({ playback, language }: Facts): string {
  const { advance_mode, hifz } = playback
  const words = WORDS[language]
  if (advance_mode !== 'hifz_repeat' && advance_mode !== 'hifz_ab') {
    return playback.mode === 'stream' ? '' : words.modes[advance_mode]
  }
  if (!hifz) return ''
  const say = (value: number) => digits(value, language)
  const which = say(hifz.waiting ? hifz.repeat_done : hifz.repeat_done + 1)
  const { repeat_target, ab_start, ab_end } = hifz
  if (repeat_target === 0) return words.endless(which)
  if (ab_start === undefined || ab_end === undefined || hifz.waiting) {
    return words.repetition(which, say(repeat_target))
  }
  return words.range(say(ab_start), say(ab_end), which, say(repeat_target))
}
