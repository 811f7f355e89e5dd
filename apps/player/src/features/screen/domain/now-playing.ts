import type { PlaybackStatus } from '@manara/player-contract/playback'
import { SURAHS } from '@manara/player-contract/surahs'
import type { Facts } from './facts.ts'
import { plainText } from './plain-text.ts'
import { playTime } from './time-text.ts'
import { topLine } from './top-line.ts'
import { digits, WORDS, type Words } from './words.ts'

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
    ...titles(facts),
    beads: beadsOf(playback),
    progress: isLive ? null : duration > 0 ? Math.min(1, position / duration) : 0,
    elapsed: isLive ? '' : playTime(position, language),
    total: isLive || duration === 0 ? '' : playTime(duration, language),
    state: stateOf(facts),
    note: noteOf(facts),
    aside: isWaiting
      ? words[isDrill(playback) ? 'yourTurn' : 'again'](left)
      : words.volume(digits(playback.volume, language)),
    isWaiting,
  }
}

const isDrill = ({ advance_mode, hifz }: PlaybackStatus) =>
  advance_mode === 'hifz_verses' && hifz !== undefined && !hifz.problem

// More than fit side by side are told in words alone.
const MOST_BEADS = 20

/** The repetitions of the round that is on. */
function beadsOf(playback: PlaybackStatus) {
  const { repeat_done: done = 0, repeat_target: of = 0 } = playback.hifz ?? {}
  return isDrill(playback) && of > 0 && of <= MOST_BEADS ? { done, of } : null
}

function titles({ playback, language }: Facts) {
  const { mode, track, reciter, surah_number, station, stream_title, verse } = playback
  const surah = SURAHS[surah_number - 1]
  if (surah) {
    return {
      title: `سورة ${surah.name_ar}`,
      subtitle: [
        `${surah.number} · ${surah.name}`,
        ...(verse === undefined ? [] : [WORDS[language].verse(digits(verse, language))]),
      ].join(' · '),
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
  const say = (value: number) => digits(value, language)
  if (advance_mode === 'hifz_verses' && hifz) return drillNote(hifz, words, say)
  if (advance_mode !== 'hifz_repeat' && advance_mode !== 'hifz_ab') {
    return playback.mode === 'stream' ? '' : (words.modes[advance_mode as 'off'] ?? '')
  }
  if (!hifz) return ''
  const which = say(hifz.waiting ? hifz.repeat_done : hifz.repeat_done + 1)
  const { repeat_target, ab_start, ab_end } = hifz
  if (repeat_target === 0) return words.endless(which)
  if (ab_start === undefined || ab_end === undefined || hifz.waiting) {
    return words.repetition(which, say(repeat_target))
  }
  return words.range(say(ab_start), say(ab_end), which, say(repeat_target))
}

/** Which verses are heard in one go, and how often they have been. */
function drillNote(
  { round, problem, waiting, repeat_done, repeat_target }: NonNullable<PlaybackStatus['hifz']>,
  words: Words,
  say: (value: number) => string,
): string {
  if (problem || !round) return problem ? words.noVerses : ''
  const which = say(waiting ? repeat_done : repeat_done + 1)
  const name =
    round.from === round.to
      ? words.verse(say(round.from))
      : words.verses(say(round.from), say(round.to))
  return repeat_target === 0 ? `${name} · ${which}` : words.ofRound(name, which, say(repeat_target))
}
