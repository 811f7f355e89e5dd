import type { ModeBody } from '@manara/player-contract/mode'
import type { PlaybackStatus } from '@manara/player-contract/playback'
import type { Api } from './api.ts'
import type { Attempt } from './attempt.ts'
import type { Box } from './box.ts'

type PlayerDeps = {
  box: Box
  api: Api
  attempt: Attempt
  after(ms: number, then: () => void): () => void
}

// The box takes 20 commands in 10 seconds: a held slider must leave room for the thumb.
const VOLUME_EVERY_MS = 800
const STEP_MS = 10_000

/** Commands that show at once and are taken back, with the reason, when the box refuses. */
export function createPlayer({ box, api, attempt, after }: PlayerDeps) {
  let volumeTimer: (() => void) | undefined
  let volumeWanted: number | undefined
  /** The last that the box took, while a slider is held. */
  let volumeTaken = 0

  async function act(path: string, body?: object, guess?: Partial<PlaybackStatus>) {
    const before = box.playback.value
    const told = box.playbackTold()
    if (before && guess) box.lay({ playback: { ...before, ...guess } })
    const isDone = await attempt(async () => {
      const { success: _, ...playback } = await api.post<PlaybackStatus & { success: true }>(
        `/playback/${path}`,
        body,
      )
      // The reply is the state too: the socket may be a moment behind, or down. Where it has spoken
      // meanwhile, the reply may be the older of the two: another phone was quicker.
      if ('state' in playback && told === box.playbackTold()) box.lay({ playback })
    })
    if (!isDone && before && guess) takeBack(guess, before)
    return isDone
  }

  /** What the box has said meanwhile is truer than what was there before. */
  function takeBack(guess: Partial<PlaybackStatus>, before: Partial<PlaybackStatus>) {
    const now = box.playback.value
    if (!now) return
    const stale = (Object.keys(guess) as (keyof PlaybackStatus)[]).filter(
      (name) => now[name] === guess[name],
    )
    const back = Object.fromEntries(stale.map((name) => [name, before[name]]))
    box.lay({ playback: { ...now, ...back } })
  }

  function sendVolume() {
    volumeTimer = undefined
    if (volumeWanted === undefined) return
    const volume = volumeWanted
    volumeWanted = undefined
    volumeTimer = after(VOLUME_EVERY_MS, sendVolume)
    void act('volume', { volume }).then((isDone) => {
      if (isDone) volumeTaken = volume
      else takeBack({ volume }, { volume: volumeTaken })
    })
  }

  return {
    play: (path: string) => act('play', { path }, { state: 'buffering' }),
    playStream: (url: string) => act('play', { url }, { state: 'buffering' }),
    toggle() {
      const now = box.playback.value
      if (!now) return
      if (now.state === 'playing' || now.state === 'buffering') {
        return act('pause', undefined, { state: 'paused' })
      }
      if (now.state === 'paused') return act('resume', undefined, { state: 'playing' })
      if (now.hasResumeState) return act('resume-saved', undefined, { state: 'buffering' })
    },
    stop: () => act('stop', undefined, { state: 'stopped' }),
    seek: (position: number) => act('seek', { position }, { position }),
    seekVerse: (verse: number) => act('seek', { verse }),
    setSpeed: (speed: number) => act('speed', { speed }),
    skip(direction: 1 | -1) {
      const { position = 0, duration = 0 } = box.playback.value ?? {}
      const to = Math.min(
        Math.max(0, position + direction * STEP_MS),
        Math.max(0, duration - 1_000),
      )
      return act('seek', { position: to }, { position: to })
    },
    step: (way: 'next' | 'prev') => act(way),
    setMode: (mode: ModeBody) => act('mode', mode),
    /** The last value of a held slider always arrives; those on the way only now and then. */
    setVolume(volume: number) {
      const now = box.playback.value
      if (now && !volumeTimer) volumeTaken = now.volume
      if (now) box.lay({ playback: { ...now, volume } })
      volumeWanted = volume
      if (!volumeTimer) sendVolume()
    },
  }
}
