import { AppError, invalid } from '@manara/kit/errors'
import type { ModeBody } from '@manara/player-contract/mode'
import type { PlaybackStatus } from '@manara/player-contract/playback'
import { type AudioEvent, NoDevice } from '../../ports/audio-output.ts'
import { type AdhanFile, type Announcement, firstThatSounds } from './announcement.ts'
import { step } from './domain/machine.ts'
import type { Command, Entrance, Step } from './domain/state.ts'
import type { Track } from './domain/track.ts'
import type { PlayerDeps } from './player-deps.ts'
import { createReactions } from './react.ts'
import { createPassing, failedPath, refusal } from './refusal.ts'
import { createStage } from './stage.ts'

export type Player = ReturnType<typeof createPlayer>

const TICK_MS = 1_000

/** The one owner of playback. Commands and what the engine reports take their turn in one queue. */
export function createPlayer(deps: PlayerDeps) {
  const { audio, events, clock, resume } = deps
  const stage = createStage(deps, () => stage.byItself(() => react({ type: 'gap-over' })))
  const { book, device, place, volume, status, tell, inTurn, machine } = stage
  const { react, hear, stopWaiting } = createReactions(stage, deps)
  let choices = 0
  const ends: (() => void)[] = []

  function onEvent(event: AudioEvent) {
    const heardDuring = device.loads()
    // What waited behind a command that loaded something else is about a track that is gone.
    stage.byItself(async () => (heardDuring === device.loads() ? hear(event) : undefined))
  }

  /** A refused source leaves alone what sounds, or the silence between two repetitions. */
  const isUntouched = () =>
    machine().gap !== null ||
    (machine().state !== 'stopped' && audio.snapshot().state !== 'stopped')

  /** A mode may cut what plays elsewhere: to the frame only where nothing of it is on its way any more. */
  async function withPlace(asked: Extract<Command, { type: 'mode' }>): Promise<Command> {
    const withHeard = () => ({ ...asked, heard: audio.snapshot() })
    const { effects } = await book.decide(machine(), withHeard(), deps.shelf)
    if (effects.some((effect) => effect.do === 'load')) await device.hush(0)
    return withHeard()
  }

  /** Silences what sounds; where it is to go on. What came to its end meanwhile goes on from before that. */
  async function heldPlace(): Promise<number> {
    const before = audio.snapshot()
    await device.hush(deps.fades().down_ms)
    const { state, position_ms } = audio.snapshot()
    return state === 'stopped' ? before.position_ms : position_ms
  }

  /** Nothing plays, but there is a place to go on from: after a restart as well as after a stop. */
  function fromKeptPlace(asked: Command): Command {
    const isIdle = machine().state === 'stopped' && !machine().adhan
    const point = asked.type === 'resume' && isIdle ? resume.read() : undefined
    return point ? { type: 'play', ...point, isKept: true } : asked
  }

  /** Next and prev pass what cannot be played, as if it were not there. */
  async function carryOut(wanted: Command): Promise<Step> {
    const passes = wanted.type === 'next' || wanted.type === 'prev'
    const { shelf, pass } = createPassing(deps.shelf)
    let problem: unknown
    for (;;) {
      let decided: Step
      try {
        decided = await book.decide(machine(), wanted, shelf)
      } catch (error) {
        if (problem) failUnlessUntouched(problem)
        throw error
      }
      try {
        await stage.perform(decided)
        return decided
      } catch (error) {
        problem = error
        const isOfTrack = !(error instanceof NoDevice)
        if (passes && isOfTrack && pass(failedPath(decided))) continue
        if (error instanceof AppError) throw error
        failUnlessUntouched(error)
        throw refusal(wanted, error)
      }
    }
  }

  function failUnlessUntouched(error: unknown) {
    if (!isUntouched() && !machine().adhan) stage.fail(error)
  }

  /** A command of a person: what the device refuses is told to them and to everyone. */
  function command(given: Command | (() => Promise<Command>)): Promise<PlaybackStatus> {
    return inTurn(async () => {
      const asked = typeof given === 'function' ? await given() : given
      stopWaiting()
      const wanted = asked.type === 'mode' ? await withPlace(asked) : fromKeptPlace(asked)
      const before = machine()
      const decided = await carryOut(wanted)
      if (wanted.type === 'play') choices += 1
      if (wanted.type === 'play' && typeof wanted.volume === 'number') volume.keep(wanted.volume)
      if (decided.effects.length > 0 || wanted.type !== 'mode') tell()
      if (before.adhan && !machine().adhan) {
        deps.onAnnouncement(before.adhan.kind, before.adhan.prayer, 'stopped')
      }
      return status()
    })
  }

  function limited({ volume: wanted, ...entrance }: Entrance): Entrance {
    return typeof wanted === 'number'
      ? { ...entrance, volume: Math.min(wanted, deps.maxVolume()) }
      : entrance
  }

  function tick() {
    const { state: meant, adhan: sounds, gap } = machine()
    if (meant === 'stopped' && !sounds) return
    const { state, position, duration } = status()
    if (state !== 'playing' || (gap && !sounds)) return
    events.emit('progress', { position, duration })
    // What was interrupted has its place already, and whether it is paused.
    if (!sounds && place.isStale()) place.keep(machine(), true)
    stage.verses.look()
  }

  return {
    status,
    modeReport: stage.modeReport,
    /** What is left of the silence between two repetitions, in milliseconds. */
    gapLeft: () => (machine().gap ? stage.gap.left() : 0),
    command,

    /**
     * With what happens at its end: both, or neither when it does not fit. A track that has to be
     * looked for is found in turn, so that nothing that was asked later comes before it.
     */
    play: (track: Track | (() => Promise<Track>), entrance: Entrance = {}, mode?: ModeBody) =>
      command(async () => ({
        ...{ type: 'play', position_ms: 0, repeat_done: 0, mode },
        track: typeof track === 'function' ? await track() : track,
        ...limited(entrance),
      })),

    /** What was queued while nothing played. */
    playQueued(track: Track) {
      stage.firstSound.fromQueue(track, machine())
      return this.play(track)
    },

    setMode: (body: ModeBody) => command({ type: 'mode', body }),

    /** Kept over restarts, like the volume; streams and the adhan have their own. */
    async setSpeed(speed: number) {
      const reached = await command({ type: 'speed', speed })
      deps.memory.speed.save(speed)
      return reached
    },

    /** Verses were found, corrected or lost. */
    versesChanged: () =>
      inTurn(async () => {
        book.forget()
        await book.learn(machine().track)
        stage.verses.look()
      }),

    setVolume: (wanted: number) => inTurn(() => volume.set(wanted)),
    /** In turn, so that what is about to begin does not undo it; the adhan is never faded. */
    fade: (level: number, duration_ms: number) =>
      inTurn(async () => {
        if (!machine().adhan) await audio.fade(level, duration_ms)
      }),
    limitVolume: () => inTurn(volume.applyLimit),

    /**
     * Interrupts whatever plays. Tells what sounds and why the files before it did not; when none
     * could be played, goes on with what was interrupted and rejects.
     */
    announce: ({ kind, prayer, volume: loudness, files, after }: Announcement) =>
      inTurn(async () => {
        const place_ms = await heldPlace()
        const replaced = machine().adhan
        const announced = { kind, prayer, place_ms, after: after ?? null }
        const called = { ...announced, type: 'adhan' as const, volume: volume.lent(loudness) }
        const sound = (file: AdhanFile) =>
          stage.perform(step(machine(), { ...called, ...file }, deps.shelf))
        const sounded = await firstThatSounds(files, sound)
        if (sounded.path === undefined) {
          const silent = { ...announced, path: '', after: null, isPaused: false, isAfter: false }
          stage.become({ ...machine(), adhan: replaced ?? silent })
          await react({ type: 'adhan-over' })
          throw new AppError(500, `the adhan cannot be played: ${sounded.problems.join('; ')}`)
        }
        tell()
        if (replaced && replaced.kind !== 'adhan') {
          deps.onAnnouncement(replaced.kind, replaced.prayer, 'stopped')
        }
        deps.onAnnouncement(kind, prayer, 'started')
        return { ...sounded, status: status() }
      }),

    isAnnouncing: () => machine().adhan !== null,

    /** How often somebody has chosen what plays; what follows by itself does not count. */
    choices: () => choices,

    /** Ends the adhan and goes on with what it interrupted. */
    stopAdhan: () =>
      inTurn(async () => {
        await react({ type: 'adhan-over' })
        return status()
      }),

    /** Where playback was before a stop or a power cut. */
    async resumeSaved(entrance: Entrance = {}) {
      const point = resume.read()
      if (!point) throw invalid('resume', 'no position is saved yet')
      return command({ type: 'play', ...point, isKept: true, ...limited(entrance) })
    },

    /** What a power cut interrupted is not to go on by itself any more; its place stays. */
    rest() {
      const place = resume.read()
      if (place) resume.save({ ...place, playing: false })
    },

    /** True when a power cut or a restart interrupted something. */
    wasInterrupted: () => resume.read()?.playing === true,

    /** The card has gone: what played from it is lost, whatever the engine has buffered. */
    cardRemoved: () =>
      inTurn(async () => {
        if (machine().track?.kind !== 'file') return
        await react({ type: 'source-gone', error: 'the card was removed' })
      }),

    /** Resolves when everything that was asked or reported until now is done. */
    settled: stage.settled,

    /** Stops what plays, and keeps the place. */
    async silence() {
      if (status().state !== 'stopped') await command({ type: 'stop' })
    },

    async start() {
      ends.push(clock.every(TICK_MS, tick), audio.onEvent(onEvent))
      // An engine that does not answer yet is asked again for its first sound: prayers are called meanwhile.
      await inTurn(() => device.execute({ do: 'own-volume' })).catch((error) =>
        deps.log.warn({ err: error }, 'the engine does not answer'),
      )
    },

    /** Keeps the place; whether it played decides if the next boot may resume by itself. */
    async stop() {
      for (const end of ends.splice(0)) end()
      stopWaiting()
      stage.gap.end()
      stage.verses.end()
      await stage.idle()
      const { state, adhan } = machine()
      const wasPlaying = state === 'playing' || state === 'buffering'
      if (!adhan) await device.hush(0)
      place.keep(machine(), wasPlaying)
      await audio.close()
    },
  }
}
