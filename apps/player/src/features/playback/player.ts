import { AppError, invalid } from '@manara/kit/errors'
import { createQueue } from '@manara/kit/queue'
import type { ModeBody } from '@manara/player-contract/mode'
import type { PlaybackStatus } from '@manara/player-contract/playback'
import type { AudioEvent } from '../../ports/audio-output.ts'
import { type AdhanFile, type Announcement, firstThatSounds, phaseAfter } from './announcement.ts'
import { createDevice } from './device.ts'
import { advanceOf, givesWay } from './domain/advance.ts'
import { step } from './domain/machine.ts'
import {
  type Adhan,
  type Command,
  type Effect,
  type Entrance,
  INITIAL,
  type Machine,
  type Report,
  type Step,
} from './domain/state.ts'
import { isRepetition, lastFile, type Shelf, startOf, type Track } from './domain/track.ts'
import { createGap } from './gap.ts'
import { createPlaceKeeper } from './place-keeper.ts'
import type { PlayerDeps } from './player-deps.ts'
import { failedPath, refusal } from './refusal.ts'
import { modeOf, statusOf } from './status.ts'
import { createVerseBook } from './verse-book.ts'
import { createVerseFollower } from './verse-follower.ts'
import { createVolume } from './volume.ts'

export type Player = ReturnType<typeof createPlayer>

const TICK_MS = 1_000

/**
 * The one owner of playback. Commands and what the engine reports take their turn in one queue.
 * Device first, then state, then the event: what clients see has happened.
 */
export function createPlayer(deps: PlayerDeps) {
  const { audio, events, clock, resume } = deps
  let machine: Machine = {
    ...INITIAL,
    advance: advanceOf(deps.memory.mode.read()),
    speed: deps.memory.speed.read(),
    last: lastFile(resume.read()?.track),
  }
  let stream_title = ''
  let choices = 0
  let learning = Promise.resolve()

  const queue = createQueue()
  const inTurn = queue.run
  /** For what nobody waits for. */
  const byItself = (work: () => Promise<void>) =>
    void inTurn(work).catch((error) => deps.log.warn({ err: error }, 'playback'))
  const book = createVerseBook(deps.versesOf)
  const verses = createVerseFollower({
    clock,
    book,
    machine: () => machine,
    position_ms: () => audio.snapshot().position_ms,
    onVerse(surah, verse) {
      events.emit('verse', { surah, verse })
      // After a power cut no more than this verse is heard again.
      if (machine.track?.kind === 'file' && machine.track.verses) place.keep(machine, true)
    },
  })
  const place = createPlaceKeeper({
    ...{ audio, clock, resume, log: deps.log },
    returnTo: book.returnTo,
  })
  const gap = createGap(clock, () => byItself(() => react({ type: 'gap-over' })))
  const volume = createVolume({
    ...{ audio, events },
    memory: deps.memory.volume,
    limit: deps.maxVolume,
  })
  const device = createDevice({
    audio,
    gap,
    resolve: deps.resolve,
    ownVolume: volume.own,
    fades: deps.fades,
    // The place is worth keeping only while the engine still knows it.
    beforeStop: () => place.keep(machine, false),
    onLoad() {
      stream_title = ''
    },
  })
  const ends: (() => void)[] = []

  function onEvent(event: AudioEvent) {
    const heardDuring = device.loads()
    // What waited behind a command that loaded something else is about a track that is gone.
    byItself(async () => (heardDuring === device.loads() ? hear(event) : undefined))
  }

  function status(): PlaybackStatus {
    const heard = audio.snapshot()
    const isWaiting = machine.gap && !machine.adhan
    return statusOf(machine, isWaiting ? { ...heard, duration_ms: device.duration_ms() } : heard, {
      volume: heard.volume,
      hasResumeState: resume.exists(),
      stream_title,
      gap_ms: gap.left(),
      book: book.of,
    })
  }

  function tell() {
    events.emit('playback', status())
    verses.look()
  }

  async function perform({ next, effects }: Step) {
    for (const effect of effects) await device.execute(effect)
    const before = machine
    machine = next
    remember(before, effects)
  }

  /** What has to outlive a power cut, after the device has done its part. */
  function remember(before: Machine, effects: Effect[]) {
    const started = effects.find((effect) => effect.do === 'load')
    const isBeginning = started && started.position_ms === startOf(started.track)
    if (isBeginning && !isRepetition(before.track, started.track)) deps.onStarted(started.track)
    if (machine.track && effects.length > 0) place.keep(machine, machine.state !== 'paused')
    // Nobody waits for it: a long surah may take a while to solve.
    learning = book.learn(machine.track).then(verses.look)
  }

  /** A mode that was chosen, by itself or with what plays, and one that has come to its end. */
  function rememberMode(before: Machine, wanted: Command) {
    if (wanted.type !== 'mode' && machine.advance === before.advance) return
    const mode = wanted.type === 'mode' ? wanted.body : wanted.type === 'play' && wanted.mode
    deps.memory.mode.save(mode || { mode: 'off' })
    events.emit('mode', modeOf(machine, book.of))
  }

  /** The device has refused, so nothing sounds. */
  function fail(error: unknown) {
    const { adhan } = machine
    gap.end()
    machine = {
      ...machine,
      state: 'stopped',
      track: null,
      gap: null,
      adhan: null,
      error: (error as Error).message,
    }
    tell()
    if (!adhan) return
    byItself(() => device.execute({ do: 'own-volume' }))
    deps.onAnnouncement(adhan.kind, adhan.prayer, 'stopped')
  }

  /** A refused source leaves alone what sounds, or the silence between two repetitions. */
  const isUntouched = () =>
    machine.gap !== null || (machine.state !== 'stopped' && audio.snapshot().state !== 'stopped')

  /** A mode may cut what plays elsewhere: to the frame only where nothing of it is on its way any more. */
  async function withPlace(asked: Extract<Command, { type: 'mode' }>): Promise<Command> {
    const withHeard = () => ({ ...asked, heard: audio.snapshot() })
    const { effects } = await book.decide(machine, withHeard(), deps.shelf)
    if (effects.some((effect) => effect.do === 'load')) await device.hush(0)
    return withHeard()
  }

  /** Nothing plays, but there is a place to go on from: after a restart as well as after a stop. */
  function fromKeptPlace(asked: Command): Command {
    const isIdle = machine.state === 'stopped' && !machine.adhan
    const point = asked.type === 'resume' && isIdle ? resume.read() : undefined
    return point ? { type: 'play', ...point, isKept: true } : asked
  }

  /** A command of a person: what the device refuses is told to them and to everyone. */
  function command(asked: Command): Promise<PlaybackStatus> {
    return inTurn(async () => {
      const wanted = asked.type === 'mode' ? await withPlace(asked) : fromKeptPlace(asked)
      const decided = await book.decide(machine, wanted, deps.shelf)
      const before = machine
      try {
        await perform(decided)
      } catch (error) {
        if (error instanceof AppError) throw error
        if (!isUntouched() && !machine.adhan) fail(error)
        throw refusal(wanted, error)
      }
      if (wanted.type === 'play') choices += 1
      if (wanted.type === 'play' && typeof wanted.volume === 'number') volume.keep(wanted.volume)
      rememberMode(before, wanted)
      if (decided.effects.length > 0 || wanted.type !== 'mode') tell()
      if (before.adhan && !machine.adhan) {
        deps.onAnnouncement(before.adhan.kind, before.adhan.prayer, 'stopped')
      }
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
    if (report.type === 'ended') await book.learn(machine.track)
    for (;;) {
      const queued = nextInQueue(report, shelf)
      const happening: Command | Report = queued
        ? { type: 'play', track: queued, position_ms: 0, repeat_done: 0 }
        : report
      const decided = await book.decide(machine, happening, shelf)
      const before = machine
      try {
        await perform(decided)
        if (queued) deps.queue.take()
        if (machine.state === 'stopped' && before.track) afterTheEnd(report)
        if (decided.effects.length > 0 || machine !== before) tell()
        if (before.adhan) tellAnnouncement(before.adhan, report)
        return
      } catch (error) {
        if (before.adhan?.after) {
          deps.log.warn({ err: error, path: before.adhan.after.path }, 'no dua after the adhan')
          machine = { ...before, adhan: { ...before.adhan, after: null } }
          continue
        }
        const path = failedPath(decided)
        deps.log.warn({ err: error, path }, 'a track could not be played')
        if (queued) {
          deps.queue.take()
          continue
        }
        if (path && !unplayable.has(path)) {
          unplayable.add(path)
          continue
        }
        return fail(error)
      }
    }
  }

  function nextInQueue(report: Report, shelf: Shelf): Track | undefined {
    const { track, gap: silence, adhan, advance, repeat_done } = machine
    const isAtEnd = report.type === 'ended' && report.reason === 'eof'
    if (!isAtEnd || !track || silence || adhan) return undefined
    const around = { shelf, book: book.of, speed: machine.speed }
    return givesWay(advance, track, repeat_done, around) ? deps.queue.next() : undefined
  }

  function tellAnnouncement({ kind, prayer, after }: Adhan, report: Report) {
    if (!machine.adhan) deps.onAnnouncement(kind, prayer, phaseAfter(report))
    else if (after && machine.adhan.isAfter) deps.onAnnouncement(kind, prayer, 'dua')
  }

  /** A surah heard to its end leaves nothing to resume; one that was lost leaves its last place. */
  function afterTheEnd(report: Report) {
    if (report.type === 'ended' && report.reason === 'eof') resume.clear()
  }

  async function hear(event: AudioEvent): Promise<void> {
    switch (event.type) {
      case 'ended':
        return react({ ...event, error: event.error ?? '' })
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

  function limited({ volume: wanted, ...entrance }: Entrance): Entrance {
    return typeof wanted === 'number'
      ? { ...entrance, volume: Math.min(wanted, deps.maxVolume()) }
      : entrance
  }

  function tick() {
    if (machine.state === 'stopped' && !machine.adhan) return
    const { state, position, duration, adhan } = status()
    if (state !== 'playing' || (machine.gap && !adhan)) return
    events.emit('progress', { position, duration })
    if (!adhan && place.isStale()) place.keep(machine, true)
    verses.look()
  }

  return {
    status,
    modeReport: () => modeOf(machine, book.of),
    /** What is left of the silence between two repetitions, in milliseconds. */
    gapLeft: () => (machine.gap ? gap.left() : 0),
    command,

    /** With what happens at its end: both, or neither when it does not fit. */
    play: (track: Track, entrance: Entrance = {}, mode?: ModeBody) =>
      command({ type: 'play', track, position_ms: 0, repeat_done: 0, mode, ...limited(entrance) }),

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
        await book.learn(machine.track)
        verses.look()
      }),

    setVolume: (wanted: number) => inTurn(() => volume.set(wanted)),
    limitVolume: () => inTurn(volume.applyLimit),

    /**
     * Interrupts whatever plays. Tells what sounds and why the files before it did not; when none
     * could be played, goes on with what was interrupted and rejects.
     */
    announce: ({ kind, prayer, volume: loudness, files, after }: Announcement) =>
      inTurn(async () => {
        await device.hush(deps.fades().down_ms)
        const place_ms = audio.snapshot().position_ms
        const replaced = machine.adhan
        const announced = { kind, prayer, place_ms, after: after ?? null }
        const called = { ...announced, type: 'adhan' as const, volume: volume.lent(loudness) }
        const sound = (file: AdhanFile) =>
          perform(step(machine, { ...called, ...file }, deps.shelf))
        const sounded = await firstThatSounds(files, sound)
        if (sounded.path === undefined) {
          const silent = { ...announced, path: '', after: null, isPaused: false, isAfter: false }
          machine = { ...machine, adhan: machine.adhan ?? silent }
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

    isAnnouncing: () => machine.adhan !== null,

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

    /** True when a power cut or a restart interrupted something. */
    wasInterrupted: () => resume.read()?.playing === true,

    /** The card has gone: what played from it is lost, whatever the engine has buffered. */
    cardRemoved: () =>
      inTurn(async () => {
        if (machine.track?.kind !== 'file') return
        await react({ type: 'source-gone', error: 'the card was removed' })
      }),

    /** Resolves when everything that was asked or reported until now is done. */
    async settled() {
      await queue.idle()
      await learning
    },

    /** Stops what plays, and keeps the place. */
    async silence() {
      if (status().state !== 'stopped') await command({ type: 'stop' })
    },

    async start() {
      ends.push(clock.every(TICK_MS, tick), audio.onEvent(onEvent))
      await device.execute({ do: 'own-volume' })
    },

    /** Keeps the place; whether it played decides if the next boot may resume by itself. */
    async stop() {
      for (const end of ends.splice(0)) end()
      gap.end()
      verses.end()
      await queue.idle()
      const wasPlaying = machine.state === 'playing' || machine.state === 'buffering'
      if (!machine.adhan) await device.hush(0).catch(() => {})
      place.keep(machine, wasPlaying)
      await audio.close()
    },
  }
}
