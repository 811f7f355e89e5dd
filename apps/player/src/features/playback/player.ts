import type { AudioEvent } from '../../ports/audio-output.ts'
import { createAnnouncing } from './announce.ts'
import { createCommands } from './commands.ts'
import { shelved } from './domain/track.ts'
import type { PlayerDeps } from './player-deps.ts'
import { createReactions } from './react.ts'
import { createStage } from './stage.ts'

export type Player = ReturnType<typeof createPlayer>

const TICK_MS = 1_000

/** The one owner of playback. Commands and what the engine reports take their turn in one queue. */
export function createPlayer(deps: PlayerDeps) {
  const { audio, events, clock, resume } = deps
  const stage = createStage(deps, () => stage.byItself(() => react({ type: 'gap-over' })))
  const { book, device, place, volume, status, inTurn, machine } = stage
  const { react, hear, stopWaiting } = createReactions(stage, deps)
  const { looked, ...announcing } = createAnnouncing(stage, deps, react)
  const ends: (() => void)[] = []
  /** What was told when the card went, until it is back. */
  let toldGone: string | null = null

  function onEvent(event: AudioEvent) {
    const heardDuring = device.loads()
    // What waited behind a command that loaded something else is about a track that is gone.
    stage.byItself(async () => (heardDuring === device.loads() ? hear(event) : undefined))
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

    ...createCommands(stage, deps, stopWaiting),
    ...announcing,

    setVolume: (wanted: number) => inTurn(() => volume.set(wanted, machine().adhan?.isLent)),
    limitVolume: () => inTurn(volume.applyLimit),
    /** In turn, so that what is about to begin does not undo it; the adhan is never faded. */
    fade: (level: number, duration_ms: number) =>
      inTurn(async () => {
        if (!machine().adhan) await audio.fade(level, duration_ms)
      }),

    /** Verses were found, corrected or lost. */
    versesChanged: () =>
      inTurn(async () => {
        book.forget()
        await book.learn(machine().track)
        stage.tellVerse()
      }),

    /** What plays may have begun before it was read. */
    cardRead: () =>
      inTurn(async () => {
        const { track, last } = machine()
        const known = track && shelved(track, deps.locate)
        stage.become({ ...machine(), track: known, last: last && shelved(last, deps.locate) })
        if (known === track) return
        if (!machine().adhan) place.keep(machine(), machine().state !== 'paused')
        stage.tell()
      }),

    /** The card has gone: what played from it is lost, whatever the engine has buffered. */
    cardRemoved: (error = 'the card was removed') =>
      inTurn(async () => {
        if (machine().track?.kind !== 'file') return
        await react({ type: 'source-gone', error })
        toldGone = error
      }),

    /** It is back, or another: nobody is told any longer that it has gone. */
    cardInserted: () =>
      inTurn(async () => {
        const isTold = toldGone !== null && machine().error === toldGone
        toldGone = null
        if (!isTold) return
        stage.become({ ...machine(), error: null })
        stage.tell()
      }),

    /** True when a power cut or a restart interrupted something. */
    wasInterrupted: () => resume.read()?.playing === true,

    /** What a power cut interrupted is not to go on by itself any more; its place stays. */
    rest: place.rest,

    /** Resolves when everything that was asked or reported until now is done. */
    async settled() {
      await stage.settled()
      await looked()
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
