import { invalid } from '@manara/kit/errors'
import { ordinary } from './ordinary.ts'
import { loadSought } from './seek.ts'
import { changed } from './set-mode.ts'
import type { Adhan, Command, Effect, Machine, Report, Step } from './state.ts'
import { endGap, entering, halt, load, same } from './steps.ts'
import { type Shelf, startOf } from './track.ts'
import type { VerseBook } from './verse-clips.ts'

type AfterAdhan = NonNullable<Adhan['after']>

/** The volume before the sound: the first second must not be as loud as the adhan. */
const QUIET: Effect[] = [{ do: 'silence' }, { do: 'own-volume' }]

/** What it interrupts keeps its place, and a silence between repetitions its remaining length. */
export function announce(
  machine: Machine,
  { type: _, file, volume, ...announced }: Extract<Command, { type: 'adhan' }>,
): Step {
  const place_ms = machine.adhan?.place_ms ?? announced.place_ms
  const adhan = { ...announced, place_ms, isPaused: false, isAfter: false }
  const runsGap = !machine.adhan && machine.gap && machine.state === 'playing'
  return {
    next: { ...machine, adhan },
    effects: [
      ...(runsGap ? [{ do: 'freeze-gap' } as const] : []),
      { do: 'announce', file, volume },
    ],
  }
}

/**
 * Nothing that happens by itself ends the adhan. A person may: stop silences everything, stop-adhan
 * goes on with what it interrupted, and whatever else they choose to play replaces it.
 */
export function duringAdhan(
  machine: Machine,
  adhan: Adhan,
  happening: Command | Report,
  shelf: Shelf,
  book: VerseBook,
): Step {
  const without = { ...machine, adhan: null }
  switch (happening.type) {
    case 'adhan':
      return announce(machine, happening)
    case 'ended':
      if (happening.reason === 'eof' && adhan.after) return followWith(machine, adhan, adhan.after)
      return goOn(without, adhan.place_ms)
    case 'adhan-over':
      return goOn(without, adhan.place_ms)
    case 'stop':
      return withOwnVolume(halt(without, null))
    case 'play':
    case 'next':
    case 'prev':
      return withOwnVolume(ordinary(without, happening, shelf, book))
    case 'pause':
    case 'resume': {
      if (adhan.kind !== 'adhan') return goOn(turned(without, happening.type), adhan.place_ms)
      const isPaused = happening.type === 'pause'
      if (isPaused === adhan.isPaused) return same(machine)
      return {
        next: { ...machine, adhan: { ...adhan, isPaused } },
        effects: [{ do: happening.type }],
      }
    }
    case 'seek':
    case 'seek-verse':
      if (adhan.kind === 'adhan') {
        const field = happening.type === 'seek' ? 'position' : 'verse'
        throw invalid(field, 'the adhan cannot be sought')
      }
      return afterQuiet(loadSought(without, happening, book))
    case 'speed':
      return same(ordinary(machine, happening, shelf, book).next)
    case 'mode':
      return setModeBeneath(machine, adhan, happening, shelf, book)
    case 'source-gone': {
      const { error } = happening
      return {
        next: { ...machine, state: 'stopped', track: null, gap: null, error },
        effects: endGap(machine),
      }
    }
    case 'engine':
    case 'gap-over':
      return same(machine)
  }
}

const followWith = (machine: Machine, adhan: Adhan, { path, file }: AfterAdhan): Step => ({
  next: { ...machine, adhan: { ...adhan, path, after: null, isAfter: true } },
  effects: [{ do: 'announce', file }],
})

/** A reminder is not the adhan: whoever pauses means what they were listening to. */
function turned(machine: Machine, command: 'pause' | 'resume'): Machine {
  if (!machine.track) return machine
  return { ...machine, state: command === 'pause' ? 'paused' : 'playing' }
}

/** What follows the adhan begins at its own volume, and a load that is refused leaves the adhan as it was. */
function withOwnVolume({ next, effects }: Step): Step {
  if (!effects.some((effect) => effect.do === 'load'))
    return { next, effects: [...effects, { do: 'own-volume' }] }
  return { next, effects: effects.map((effect) => entering(effect, { volume: 'own' })) }
}

/** As if nothing had happened: a file at its place, a station anew, a pause paused, a silence where it was. */
function goOn(machine: Machine, place_ms: number): Step {
  const { track, gap, state } = machine
  if (!track) return { next: machine, effects: QUIET }
  if (gap) {
    return {
      next: machine,
      effects: state === 'playing' ? [...QUIET, { do: 'thaw-gap' }] : QUIET,
    }
  }
  return afterQuiet(load(machine, track, place_ms, state === 'paused'))
}

const afterQuiet = ({ next, effects }: Step): Step => ({ next, effects: [...QUIET, ...effects] })

function setModeBeneath(
  machine: Machine,
  adhan: Adhan,
  wanted: Extract<Command, { type: 'mode' }>,
  shelf: Shelf,
  book: VerseBook,
): Step {
  const { duration_ms = 0 } = wanted.heard ?? {}
  const beneath = { ...wanted, heard: { position_ms: adhan.place_ms, duration_ms } }
  const { track, position_ms, ...mode } = changed(machine, beneath, shelf, book)
  const next = { ...machine, ...mode, own: null }
  if (!track) return same(next)
  return {
    next: {
      ...next,
      track,
      gap: null,
      adhan: { ...adhan, place_ms: position_ms ?? startOf(track) },
    },
    effects: endGap(machine),
  }
}
