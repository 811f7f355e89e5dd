import { conflict } from '@manara/kit/errors'
import { SHORTEST_LOOP_MS } from '@manara/player-contract/mode'
import type { AudioOutput, AudioSource, Falling, LoadOptions } from '../../ports/audio-output.ts'
import type { Effect } from './domain/state.ts'
import type { FileTrack } from './domain/track.ts'
import type { createGap } from './gap.ts'
import type { Haste } from './haste.ts'

type DeviceDeps = {
  audio: AudioOutput
  gap: ReturnType<typeof createGap>
  haste: Haste
  /** The absolute path of a file on the card; throws 400 naming `path`. */
  resolve(relativePath: string): Promise<string>
  /** What the person chose, under the limit. */
  ownVolume(): number
  fades(): { up_ms: number; down_ms: number }
  falling(): Falling | undefined
  beforeStop(): void
  onLoad(): void
}

/** Carries out what the machine has decided. */
export function createDevice({ audio, gap, haste, ...deps }: DeviceDeps) {
  let duration_ms = 0
  let loads = 0
  let tries = 0
  let isAnnouncement = false

  /** The adhan and what belongs to it are never faded. */
  function level() {
    const falling = isAnnouncement ? undefined : deps.falling()
    return falling ? { falling } : {}
  }

  async function load(effect: Extract<Effect, { do: 'load' }>) {
    const { track, position_ms, paused, speed, volume, softly } = effect
    const source =
      track.kind === 'stream'
        ? track
        : { kind: 'file' as const, path: await haste.givingWay(deps.resolve(track.path)) }
    const { up_ms, down_ms } = deps.fades()
    const falling = deps.falling()
    await begin(
      source,
      {
        ...{ position_ms, paused },
        ...(track.kind === 'file' && track.clip && { until_ms: track.clip.to_ms }),
        ...(track.kind === 'file' && speed && { speed }),
        ...(volume !== undefined && { volume: volume === 'own' ? deps.ownVolume() : volume }),
        ...(softly && { fade_in_ms: up_ms, fade_out_ms: down_ms }),
        ...(falling && { falling }),
      },
      source.kind === 'file',
    )
    isAnnouncement = false
    duration_ms = audio.snapshot().duration_ms
    if (track.kind === 'file') await refuseEmpty(track, position_ms)
  }

  /** A part of which nothing is there would be over at once, and begin again and again. */
  async function refuseEmpty({ clip, verses }: FileTrack, position_ms: number) {
    if (!clip) return
    const { from_ms, to_ms } = clip
    const shortest_ms = verses ? 1 : SHORTEST_LOOP_MS
    const needed_ms = Math.min(to_ms, from_ms + shortest_ms)
    // Beyond its end an engine may have let go of it by now, and of its length.
    const isOver = audio.snapshot().state === 'stopped' && position_ms === from_ms
    if (!isOver && (duration_ms === 0 || duration_ms >= needed_ms)) return
    await audio.stop()
    throw new Error(`it ends before ${Math.round(needed_ms)} ms`)
  }

  /** A source that is refused leaves everything as it was, also what is told of the one before. */
  async function begin(source: AudioSource, options: LoadOptions, givesWay = false) {
    const before = loads
    // A number of its own, also when it is refused: what was heard meanwhile is about nothing that follows.
    loads = ++tries
    try {
      const loading = audio.load(source, options)
      await (givesWay ? haste.givingWay(loading) : loading)
    } catch (error) {
      loads = before
      throw error
    }
    deps.onLoad()
  }

  const isSounding = () => ['playing', 'buffering'].includes(audio.snapshot().state)

  /**
   * The position is exact only when nothing sounds any more. What cannot be paused has ended in the
   * same moment, or its engine has died: it is silent already, and keeps no adhan from being called.
   */
  async function hush(fade_ms: number) {
    if (isSounding()) await audio.pause({ fade_ms }).catch(() => {})
  }

  /** What has come to its end by itself takes no more commands; what follows it is heard of next. */
  async function unlessOver(asked: Promise<void>, over = () => {}) {
    try {
      await asked
    } catch (error) {
      if (audio.snapshot().state !== 'stopped') throw error
      over()
    }
  }

  async function execute(effect: Effect): Promise<void> {
    switch (effect.do) {
      case 'load':
        return load(effect)
      case 'announce':
        await begin(
          { kind: 'file', path: effect.file },
          effect.volume === undefined
            ? {}
            : { volume: effect.volume, fade_in_ms: deps.fades().up_ms },
        )
        isAnnouncement = true
        return
      case 'seek':
        return unlessOver(haste.givingWay(audio.seek(effect.position_ms, level())), () => {
          throw conflict('seek: it has just ended')
        })
      case 'speed':
        return unlessOver(haste.givingWay(audio.setSpeed(effect.speed, level())))
      case 'pause':
        return unlessOver(audio.pause())
      case 'resume':
        return unlessOver(audio.resume(level()))
      case 'stop':
        await hush(0)
        deps.beforeStop()
        return audio.stop()
      case 'silence':
        await hush(deps.fades().down_ms)
        return audio.stop()
      case 'own-volume':
        return audio.setVolume(deps.ownVolume())
      case 'start-gap':
        return gap.start(effect.seconds)
      case 'freeze-gap':
        return gap.freeze()
      case 'thaw-gap':
        return gap.thaw()
      case 'end-gap':
        return gap.end()
    }
  }

  return {
    execute,
    hush,
    /** Tells what was heard of one source from what was heard of the next. */
    loads: () => loads,
    /** Of the last track; outlives its end, for the silence after it. */
    duration_ms: () => duration_ms,
  }
}
