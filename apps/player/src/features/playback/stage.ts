import { createQueue } from '@manara/kit/queue'
import type { PlaybackStatus } from '@manara/player-contract/playback'
import { createDevice } from './device.ts'
import { advanceOf, bodyOf } from './domain/advance.ts'
import { type Effect, INITIAL, type Machine, type Step } from './domain/state.ts'
import { isRepetition, lastFile, startOf, type Track } from './domain/track.ts'
import { createFirstSound } from './first-sound.ts'
import { createGap } from './gap.ts'
import { createHaste } from './haste.ts'
import { createPlaceKeeper } from './place-keeper.ts'
import type { PlayerDeps } from './player-deps.ts'
import { modeOf, statusOf } from './status.ts'
import { createVerseBook } from './verse-book.ts'
import { createVerseFollower } from './verse-follower.ts'
import { createVolume } from './volume.ts'

const isStation = (effect: Effect) => effect.do === 'load' && effect.track.kind === 'stream'

export type Stage = ReturnType<typeof createStage>

/**
 * Where playback stands, and the device that it is true of. Device first, then state, then the event:
 * what clients see has happened. Whoever changes something takes their turn.
 */
export function createStage(deps: PlayerDeps, onGapOver: () => void) {
  const { audio, events, clock, resume } = deps
  const mode = deps.memory.mode.read()
  let machine: Machine = {
    ...INITIAL,
    advance: advanceOf(mode),
    own: mode.own ? advanceOf(mode.own) : null,
    speed: deps.memory.speed.read(),
    last: lastFile(resume.read()?.track),
  }
  let stream_title = ''
  let toldVerse: number | undefined
  let learning = Promise.resolve()

  const queue = createQueue()
  /** For what nobody waits for. */
  const byItself = (work: () => Promise<void>) =>
    void queue.run(work).catch((error) => deps.log.warn({ err: error }, 'playback'))
  const firstSound = createFirstSound()
  const haste = createHaste(clock)
  const book = createVerseBook(deps.versesOf, haste)
  const verses = createVerseFollower({
    clock,
    book,
    machine: () => machine,
    heard: audio.snapshot,
    onVerse(surah, verse) {
      toldVerse = verse
      events.emit('verse', { surah, verse })
      // After a power cut no more than this verse is heard again.
      if (machine.track?.kind === 'file' && machine.track.verses) place.keep(machine, true)
    },
  })
  const place = createPlaceKeeper({
    ...{ audio, clock, resume, log: deps.log },
    returnTo: book.returnTo,
    isKnown: firstSound.isKnown,
  })
  const gap = createGap(clock, onGapOver)
  const volume = createVolume({
    ...{ audio, events },
    memory: deps.memory.volume,
    limit: deps.maxVolume,
  })
  const device = createDevice({
    audio,
    gap,
    haste,
    resolve: deps.resolve,
    ownVolume: volume.own,
    fades: deps.fades,
    falling: deps.falling,
    // The place is worth keeping only while the engine still knows it.
    beforeStop: () => place.keep(machine, false),
    onLoad() {
      stream_title = ''
    },
  })

  function status(): PlaybackStatus {
    const heard = audio.snapshot()
    // The engine has let go of it, and what follows has not begun.
    const isOver = !machine.adhan && (machine.gap || heard.state === 'stopped')
    return statusOf(machine, isOver ? { ...heard, duration_ms: device.duration_ms() } : heard, {
      volume: heard.volume,
      hasResumeState: resume.exists(),
      stream_title,
      gap_ms: gap.left(),
      book: book.of,
    })
  }

  function tell() {
    const told = status()
    toldVerse = told.verse
    events.emit('playback', told)
    verses.look()
  }

  /** What sounds tells each verse as it begins; of what is paused nothing else would come. */
  function tellVerse() {
    if (machine.state === 'paused' && status().verse !== toldVerse) tell()
    else verses.look()
  }

  /** It sounds already: that it could not be counted is nobody's fault who listens. */
  function countStart(track: Track) {
    try {
      deps.onStarted(track)
    } catch (error) {
      deps.log.warn({ err: error }, 'that it was played could not be counted')
    }
  }

  /** A mode that was chosen, by itself or with what plays, and one that has come to its end. */
  function rememberMode(before: Machine) {
    const { advance, own } = machine
    if (advance === before.advance && own === before.own) return
    deps.memory.mode.save({ ...bodyOf(advance), ...(own && { own: bodyOf(own) }) })
    events.emit('mode', modeOf(machine, book.of))
  }

  /** What has to outlive a power cut, after the device has done its part. */
  function remember(before: Machine, effects: Effect[], isChosen: boolean) {
    const started = effects.find((effect) => effect.do === 'load')
    const isBeginning = started && started.position_ms === startOf(started.track)
    if (isBeginning && !isRepetition(before.track, started.track, isChosen))
      countStart(started.track)
    if (machine.track && effects.length > 0) place.keep(machine, machine.state !== 'paused')
    // Nobody waits for it: a long surah may take a while to solve.
    learning = book.learn(machine.track).then((isNew) => (isNew ? tellVerse() : verses.look()))
  }

  return {
    ...{ book, device, firstSound, gap, haste, place, verses, volume, status, tell, tellVerse },
    byItself,
    inTurn: queue.run,
    idle: queue.idle,
    machine: () => machine,
    modeReport: () => modeOf(machine, book.of),

    become(next: Machine) {
      machine = next
    },

    /** `isChosen`: somebody wants to hear what begins, now or when its turn in the queue has come. */
    async perform({ next, effects }: Step, isChosen = false) {
      // Should the station not be there, it goes on from where it was left.
      if (effects.some(isStation)) place.keep(machine, machine.state !== 'paused')
      for (const effect of effects) await device.execute(effect)
      const before = machine
      machine = next
      remember(before, effects, isChosen)
      rememberMode(before)
    },

    /** The device has refused, so nothing sounds. */
    fail(error: unknown) {
      const { adhan } = machine
      gap.end()
      const { message } = error as Error
      const nothing = { track: null, gap: null, adhan: null } as const
      machine = { ...machine, ...nothing, state: 'stopped', error: message }
      tell()
      if (!adhan) return
      byItself(() => device.execute({ do: 'own-volume' }))
      deps.onAnnouncement(adhan.kind, adhan.prayer, 'stopped')
    },

    /** A station is a place to come back to from its first sound on. */
    sounds() {
      const { track, adhan } = machine
      if (!track || adhan || firstSound.isKnown(track)) return
      firstSound.of(track)
      place.keep(machine, machine.state !== 'paused')
    },

    tellTitle(title: string) {
      if (title === stream_title) return
      stream_title = title
      tell()
    },

    /** Resolves when everything that was asked or reported until now is done. */
    async settled() {
      await queue.idle()
      await learning
    },
  }
}
