import { invalid } from '@manara/kit/errors'
import type { ModeBody } from '@manara/player-contract/mode'
import type { PlaybackStatus } from '@manara/player-contract/playback'
import { carryOut } from './carry-out.ts'
import type { Command, Entrance } from './domain/state.ts'
import { shelved, type Track } from './domain/track.ts'
import type { PlayerDeps } from './player-deps.ts'
import type { Stage } from './stage.ts'

/** What people, and what acts for them, want of playback. */
export function createCommands(stage: Stage, deps: PlayerDeps, stopWaiting: () => void) {
  const { audio, resume } = deps
  const { book, device, haste, place, volume, status, tell, inTurn, machine } = stage
  let choices = 0

  /** A command of a person: what the device refuses is told to them and to everyone. */
  function command(given: Command | (() => Promise<Command>)): Promise<PlaybackStatus> {
    return inTurn(async () => {
      const asked = typeof given === 'function' ? await haste.givingWay(given()) : given
      stopWaiting()
      const wanted = asked.type === 'mode' ? await withPlace(asked) : fromKeptPlace(asked)
      const before = machine()
      const decided = await carryOut(stage, deps, wanted)
      if (wanted.type === 'play') choices += 1
      // Also of what a power cut has interrupted, and has not gone on yet.
      if (wanted.type === 'stop' && !before.adhan) place.rest()
      if ('volume' in wanted && typeof wanted.volume === 'number') volume.keep(wanted.volume)
      if (decided.effects.length > 0 || wanted.type !== 'mode') tell()
      if (before.adhan && !machine().adhan) {
        deps.onAnnouncement(before.adhan.kind, before.adhan.prayer, 'stopped')
      }
      return status()
    })
  }

  /** A mode may cut what plays elsewhere: to the frame only where nothing of it is on its way any more. */
  async function withPlace(asked: Extract<Command, { type: 'mode' }>): Promise<Command> {
    const beneath = asked.body.loop && (await lengthBeneath())
    const withHeard = () => ({ ...asked, heard: { ...audio.snapshot(), ...beneath } })
    const { effects } = await book.decide(machine(), withHeard(), deps.shelf)
    if (effects.some((effect) => effect.do === 'load')) await device.hush(0)
    return withHeard()
  }

  /** Of what has given way to an adhan or a silence the engine knows it no more. */
  async function lengthBeneath(): Promise<{ duration_ms?: number }> {
    const { adhan, gap, track } = machine()
    return adhan || gap ? { duration_ms: await lengthOf(gap?.upcoming ?? track) } : {}
  }

  /** 0 where it is not known. What is not there is told when it is to play. */
  async function lengthOf(track: Track | null): Promise<number> {
    if (track?.kind !== 'file') return 0
    const looking = deps.resolve(track.path).then(deps.durationOf)
    return (await haste.givingWay(looking).catch(() => undefined)) ?? 0
  }

  /** Nothing plays, but there is a place to go on from: after a restart as well as after a stop. */
  function fromKeptPlace(asked: Command): Command {
    const isIdle = machine().state === 'stopped' && !machine().adhan
    const point = asked.type === 'resume' && isIdle ? keptPoint() : undefined
    return point ? { type: 'play', ...point, isKept: true } : asked
  }

  /** A file that was kept before the card had been read is known as its surah by now. */
  function keptPoint() {
    const point = resume.read()
    return point && { ...point, track: shelved(point.track, deps.locate) }
  }

  function limited({ volume: wanted, ...entrance }: Entrance): Entrance {
    return typeof wanted === 'number'
      ? { ...entrance, volume: Math.min(wanted, deps.maxVolume()) }
      : entrance
  }

  /**
   * With what happens at its end: both, or neither when it does not fit. A track that has to be
   * looked for is found in turn, so that nothing that was asked later comes before it.
   */
  const play = (
    track: Track | (() => Promise<Track>),
    entrance: Entrance = {},
    mode?: ModeBody,
  ): Promise<PlaybackStatus> =>
    command(async () => {
      const found = typeof track === 'function' ? await track() : track
      return {
        ...{ type: 'play', track: found, position_ms: 0, repeat_done: 0, mode },
        ...(mode?.loop && { duration_ms: await lengthOf(found) }),
        ...limited(entrance),
      }
    })

  return {
    command,
    play,

    /** What was queued while nothing played. */
    playQueued(track: Track) {
      stage.firstSound.fromQueue(track, machine())
      return play(track)
    },

    playNeighbour: (type: 'next' | 'prev', entrance: Entrance) =>
      command({ type, ...limited(entrance) }),

    /** Where playback was before a stop or a power cut. */
    async resumeSaved(entrance: Entrance = {}) {
      const point = keptPoint()
      if (!point) throw invalid('resume', 'no position is saved yet')
      return command({ type: 'play', ...point, isKept: true, ...limited(entrance) })
    },

    /** The same by itself after a power cut, unless somebody has stopped it or chosen another by its turn. */
    async resumeInterrupted() {
      await command(async () => {
        const point = keptPoint()
        if (!point?.playing || choices > 0) throw invalid('resume', 'it is not wanted any more')
        return { type: 'play', ...point, isKept: true }
      })
    },

    setMode: (body: ModeBody) => command({ type: 'mode', body }),

    /** Kept over restarts, like the volume; streams and the adhan have their own. */
    async setSpeed(speed: number) {
      const reached = await command({ type: 'speed', speed })
      deps.memory.speed.save(speed)
      return reached
    },

    /** Stops what plays, and keeps the place. */
    async silence() {
      if (status().state !== 'stopped') await command({ type: 'stop' })
    },

    /** How often somebody has chosen what plays; what follows by itself does not count. */
    choices: () => choices,
  }
}
