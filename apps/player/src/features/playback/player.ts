import { AppError, invalid } from '@manara/kit/errors'
import type { EventBus } from '@manara/kit/event-bus'
import type { Logger } from '@manara/kit/logging'
import type { PlayerEvents } from '@manara/player-contract/events'
import type { ModeBody, PlaybackStatus } from '@manara/player-contract/playback'
import type { AudioEvent, AudioOutput } from '../../ports/audio-output.ts'
import type { Clock } from '../../ports/clock.ts'
import {
  type Command,
  type Effect,
  INITIAL,
  type Machine,
  type Report,
  type Step,
  step,
} from './domain/machine.ts'
import type { FileTrack, Track } from './domain/track.ts'
import { createGap } from './gap.ts'
import type { ResumeStore } from './resume.store.ts'
import { modeOf, statusOf } from './status.ts'

export type PlayerDeps = {
  audio: AudioOutput
  events: EventBus<PlayerEvents>
  clock: Clock
  log: Pick<Logger, 'warn'>
  resume: ResumeStore
  /** Kept over restarts. */
  memory: {
    volume: { read(): number; save(volume: number): void }
    mode: { read(): ModeBody; save(mode: ModeBody): void }
  }
  maxVolume(): number
  /** The absolute path of a file on the card; throws 400 naming `path`. */
  resolve(relativePath: string): Promise<string>
  shelf(reciter: string, surah: number): FileTrack | undefined
  /** A track has begun by itself or by command: counts as a play. */
  onStarted(track: Track): void
}

export type Player = ReturnType<typeof createPlayer>

// A power cut may lose 10 s at most; the second below leaves room for the tick itself.
const SAVE_EVERY_MS = 9_000
const TICK_MS = 1_000

/**
 * The one owner of playback. Commands and what the engine reports take their turn in one queue.
 * Device first, then state, then the event: what clients see has happened.
 */
export function createPlayer(deps: PlayerDeps) {
  const { audio, events, clock, resume } = deps
  let machine: Machine = step(
    INITIAL,
    { type: 'mode', body: deps.memory.mode.read() },
    deps.shelf,
  ).next
  let stream_title = ''
  let duration_ms = 0
  let savedAt = 0
  let loads = 0
  let queue: Promise<unknown> = Promise.resolve()

  const gap = createGap(clock, () => byItself(() => react({ type: 'gap-over' })))
  const endTicks = clock.every(TICK_MS, tick)
  const endEvents = audio.onEvent((event) => {
    const heardDuring = loads
    // What waited behind a command that loaded something else is about a track that is gone.
    byItself(async () => (heardDuring === loads ? hear(event) : undefined))
  })

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = queue.then(work)
    queue = turn.catch(() => {})
    return turn
  }

  function byItself(work: () => Promise<void>) {
    inTurn(work).catch((error) => deps.log.warn({ err: error }, 'playback'))
  }

  function status(): PlaybackStatus {
    const heard = audio.snapshot()
    return statusOf(machine, machine.gap ? { ...heard, duration_ms } : heard, {
      volume: heard.volume,
      hasResumeState: resume.exists(),
      stream_title,
    })
  }

  const tell = () => events.emit('playback', status())

  async function perform({ next, effects }: Step) {
    for (const effect of effects) await execute(effect)
    const before = machine
    machine = next
    remember(before, effects)
  }

  async function execute(effect: Effect): Promise<void> {
    switch (effect.do) {
      case 'load':
        return load(effect)
      case 'seek':
        return audio.seek(effect.position_ms)
      case 'pause':
        return audio.pause()
      case 'resume':
        return audio.resume()
      case 'stop':
        // The place is worth keeping only while the engine still knows it.
        keepPlace(false)
        return audio.stop()
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

  async function load({ track, position_ms, paused }: Extract<Effect, { do: 'load' }>) {
    const source =
      track.kind === 'stream'
        ? track
        : { kind: 'file' as const, path: await deps.resolve(track.path) }
    stream_title = ''
    loads += 1
    await audio.load(source, { position_ms, paused })
    duration_ms = audio.snapshot().duration_ms
  }

  /** What has to outlive a power cut, after the device has done its part. */
  function remember(before: Machine, effects: Effect[]) {
    const started = effects.find((effect) => effect.do === 'load')
    if (started && started.position_ms === 0 && before.track !== started.track) {
      deps.onStarted(started.track)
    }
    if (machine.track && effects.length > 0) keepPlace(machine.state !== 'paused')
  }

  function keepPlace(playing: boolean) {
    const { track, gap: silence, repeat_done } = machine
    const heard = audio.snapshot()
    // An engine that has ended by itself no longer knows the place: the last one kept stands.
    if (!track || (!silence && heard.state === 'stopped')) return
    savedAt = clock.monotonic()
    const place = silence
      ? { track: silence.upcoming, position_ms: 0 }
      : { track, position_ms: track.kind === 'file' ? heard.position_ms : 0 }
    try {
      resume.save({ ...place, repeat_done, playing })
    } catch (error) {
      // A full disk must not stop the recitation.
      deps.log.warn({ err: error }, 'the position could not be kept')
    }
  }

  /** The device has refused, so nothing sounds. */
  function fail(error: unknown) {
    gap.end()
    machine = {
      ...machine,
      state: 'stopped',
      track: null,
      gap: null,
      error: (error as Error).message,
    }
    tell()
  }

  /** A command of a person: what the device refuses is told to them and to everyone. */
  function command(wanted: Command): Promise<PlaybackStatus> {
    return inTurn(async () => {
      const decided = step(machine, wanted, deps.shelf)
      try {
        await perform(decided)
      } catch (error) {
        if (error instanceof AppError) throw error
        fail(error)
        throw refusal(wanted, error)
      }
      if (decided.effects.length > 0 || wanted.type !== 'mode') tell()
      return status()
    })
  }

  /** What follows by itself. A file that cannot be played counts as one that is not there. */
  async function react(report: Report): Promise<void> {
    const unplayable = new Set<string>()
    const shelf = (reciter: string, surah: number) => {
      const track = deps.shelf(reciter, surah)
      return track && !unplayable.has(track.path) ? track : undefined
    }
    for (;;) {
      const decided = step(machine, report, shelf)
      const before = machine
      try {
        await perform(decided)
        if (machine.state === 'stopped' && before.track) afterTheEnd(report)
        if (decided.effects.length > 0 || machine !== before) tell()
        return
      } catch (error) {
        const path = failedPath(decided)
        deps.log.warn({ err: error, path }, 'a track could not be played')
        if (path && !unplayable.has(path)) {
          unplayable.add(path)
          continue
        }
        return fail(error)
      }
    }
  }

  /** A surah heard to its end leaves nothing to resume; one that was lost leaves its last place. */
  function afterTheEnd(report: Report) {
    if (report.type === 'ended' && report.reason === 'eof') resume.clear()
  }

  async function hear(event: AudioEvent): Promise<void> {
    switch (event.type) {
      case 'ended':
        return react({ type: 'ended', reason: event.reason, error: event.error ?? '' })
      case 'state':
        if (event.state !== 'playing' && event.state !== 'buffering') return
        return react({ type: 'engine', state: event.state })
      case 'metadata':
        stream_title = event.title
        return tell()
      case 'underrun':
        return tell()
    }
  }

  function tick() {
    if (machine.state !== 'playing' || machine.gap) return
    const { position, duration } = status()
    events.emit('progress', { position, duration })
    if (clock.monotonic() - savedAt >= SAVE_EVERY_MS) keepPlace(true)
  }

  return {
    status,
    modeReport: () => modeOf(machine),
    command,

    play: (track: Track) => command({ type: 'play', track, position_ms: 0, repeat_done: 0 }),

    async setMode(body: ModeBody) {
      const reached = await command({ type: 'mode', body })
      deps.memory.mode.save(body)
      events.emit('mode', modeOf(machine))
      return reached
    },

    setVolume: (wanted: number) =>
      inTurn(async () => {
        const volume = Math.min(wanted, deps.maxVolume())
        await audio.setVolume(volume)
        deps.memory.volume.save(volume)
        events.emit('volume', { volume })
        return volume
      }),

    /** Where playback was before a stop or a power cut. */
    async resumeSaved() {
      const point = resume.read()
      if (!point) throw invalid('resume', 'no position is saved yet')
      return command({ type: 'play', ...point })
    },

    /** True when a power cut or a restart interrupted something. */
    wasInterrupted: () => resume.read()?.playing === true,

    /** The card has gone: what played from it is lost, whatever the engine has buffered. */
    cardRemoved: () =>
      inTurn(async () => {
        if (machine.track?.kind !== 'file') return
        await react({ type: 'ended', reason: 'lost', error: 'the card was removed' })
      }),

    /** Resolves when everything that was asked or reported until now is done. */
    settled: () => inTurn(async () => {}),

    async start() {
      await audio.setVolume(Math.min(deps.memory.volume.read(), deps.maxVolume()))
    },

    /** Keeps the place; whether it played decides if the next boot may resume by itself. */
    async stop() {
      endTicks()
      endEvents()
      gap.end()
      await queue
      keepPlace(machine.state === 'playing' || machine.state === 'buffering')
      await audio.close()
    },
  }
}

const failedPath = ({ effects }: Step) => {
  const load = effects.find((effect) => effect.do === 'load')
  return load?.track.kind === 'file' ? load.track.path : undefined
}

function refusal(wanted: Command, error: unknown): AppError {
  const why = `cannot be played: ${(error as Error).message}`
  if (wanted.type !== 'play') return new AppError(500, `${wanted.type}: ${why}`, { cause: error })
  return invalid(wanted.track.kind === 'file' ? 'path' : 'url', why)
}
