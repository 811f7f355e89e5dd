import { invalid } from '@manara/kit/errors'
import type { ModeBody } from '@manara/player-contract/playback'
import type { AdhanEvent } from '@manara/player-contract/prayer'
import { type Advance, advanceOf, followUp } from './advance.ts'
import { type FileTrack, type Shelf, surahAfter, surahBefore, type Track } from './track.ts'

export type Machine = {
  state: 'playing' | 'paused' | 'buffering' | 'stopped'
  /** Null exactly when stopped. */
  track: Track | null
  /** What next and prev count from; outlives a stop. */
  last: FileTrack | null
  advance: Advance
  repeat_done: number
  /** The silence between two repetitions, and what follows it. */
  gap: { upcoming: Track } | null
  /** Sounds over everything; the rest of the machine then says what goes on afterwards. */
  adhan: Adhan | null
  /** Why playback stopped by itself. */
  error: string | null
}

export type Adhan = {
  kind: 'adhan' | 'reminder' | 'iqama'
  prayer: AdhanEvent['prayer']
  /** As told to clients. */
  path: string
  isPaused: boolean
  /** Where the interrupted track was. */
  place_ms: number
  /** Follows when this was heard to its end: the dua. */
  after: { path: string; file: string } | null
  isAfter: boolean
}

/** How a source comes in. A volume holds from its first sound on, never before. */
export type Entrance = {
  /** `own`: what the person chose, after something had lent another. */
  volume?: number | 'own'
  /** Fades in, and what it replaces fades out. */
  softly?: boolean
}

export type Command =
  | ({ type: 'play'; track: Track; position_ms: number; repeat_done: number } & Entrance)
  | { type: 'pause' | 'resume' | 'stop' | 'next' | 'prev' }
  | { type: 'seek'; position_ms: number }
  | { type: 'mode'; body: ModeBody }
  | ({ type: 'adhan'; file: string; volume: number } & Omit<Adhan, 'isPaused' | 'isAfter'>)

type Play = Extract<Command, { type: 'play' }>

type AfterAdhan = NonNullable<Adhan['after']>

/** What the engine and the gap's clock report, and what happens to the source itself. */
export type Report =
  | { type: 'ended'; reason: 'eof' | 'error' | 'lost'; error: string }
  | { type: 'engine'; state: 'playing' | 'buffering' }
  | { type: 'gap-over' }
  /** Somebody has had enough of it and wants what it interrupted. */
  | { type: 'adhan-over' }
  /** What played, or would go on after the adhan, is no longer there. */
  | { type: 'source-gone'; error: string }

/** What the device has to do, in order, before the new state is true. */
export type Effect =
  | ({ do: 'load'; track: Track; position_ms: number; paused: boolean } & Entrance)
  | { do: 'seek'; position_ms: number }
  /** Without a volume it is the one that the announcement before has. */
  | { do: 'announce'; file: string; volume?: number }
  | { do: 'pause' | 'resume' | 'stop' }
  /** Ends the adhan's sound and its volume; the place that was kept stays as it is. */
  | { do: 'silence' | 'own-volume' }
  | { do: 'start-gap'; seconds: number }
  | { do: 'freeze-gap' | 'thaw-gap' | 'end-gap' }

export type Step = { next: Machine; effects: Effect[] }

export const INITIAL: Machine = {
  state: 'stopped',
  track: null,
  last: null,
  advance: { mode: 'off' },
  repeat_done: 0,
  gap: null,
  adhan: null,
  error: null,
}

/** The whole transition table. Pure: refuses by throwing and changes nothing then. */
export function step(machine: Machine, happening: Command | Report, shelf: Shelf): Step {
  if (machine.adhan) return duringAdhan(machine, machine.adhan, happening, shelf)
  switch (happening.type) {
    case 'play':
      return play(machine, happening)
    case 'pause':
      return pause(machine)
    case 'resume':
      return resume(machine)
    case 'stop':
      return machine.track ? halt(machine, null) : same(machine)
    case 'next':
    case 'prev':
      return neighbour(machine, happening.type, shelf)
    case 'seek':
      return seek(machine, happening.position_ms)
    case 'mode':
      return setMode(machine, happening.body)
    case 'ended':
      return ended(machine, happening, shelf)
    case 'engine':
      return follow(machine, happening.state)
    case 'gap-over':
      return machine.gap && machine.state === 'playing'
        ? load(machine, machine.gap.upcoming, 0)
        : same(machine)
    case 'adhan':
      return announce(machine, happening)
    case 'adhan-over':
      return same(machine)
    case 'source-gone':
      return machine.track ? halt(machine, happening.error) : same(machine)
  }
}

const same = (machine: Machine): Step => ({ next: machine, effects: [] })

function load(machine: Machine, track: Track, position_ms: number, paused = false): Step {
  const state = paused ? 'paused' : track.kind === 'file' ? 'playing' : 'buffering'
  const last = track.kind === 'file' ? track : machine.last
  return {
    next: { ...machine, state, track, last, gap: null, error: null },
    effects: [{ do: 'load', track, position_ms, paused }, ...endGap(machine)],
  }
}

function play(machine: Machine, wanted: Play): Step {
  const { type: _, track, position_ms, repeat_done, ...entrance } = wanted
  const { next, effects } = load({ ...machine, repeat_done }, track, position_ms)
  return { next, effects: effects.map((effect) => entering(effect, entrance)) }
}

const entering = (effect: Effect, entrance: Entrance): Effect =>
  effect.do === 'load' ? { ...entrance, ...effect } : effect

const endGap = (machine: Machine): Effect[] => (machine.gap ? [{ do: 'end-gap' }] : [])

function halt(machine: Machine, error: string | null): Step {
  return {
    next: { ...machine, state: 'stopped', track: null, gap: null, error },
    effects: [...endGap(machine), { do: 'stop' }],
  }
}

/** Also while buffering: a pause then wins over the data that arrives later. */
function pause(machine: Machine): Step {
  if (machine.state !== 'playing' && machine.state !== 'buffering') return same(machine)
  return {
    next: { ...machine, state: 'paused' },
    effects: [{ do: machine.gap ? 'freeze-gap' : 'pause' }],
  }
}

function resume(machine: Machine): Step {
  if (machine.state !== 'paused') return same(machine)
  return {
    next: { ...machine, state: 'playing' },
    effects: [{ do: machine.gap ? 'thaw-gap' : 'resume' }],
  }
}

function neighbour(machine: Machine, command: 'next' | 'prev', shelf: Shelf): Step {
  const { last } = machine
  const search = command === 'next' ? surahAfter : surahBefore
  const found = last?.surah_number ? search(shelf, last.reciter, last.surah_number) : undefined
  if (!last) throw invalid(command, 'no reciter has been played yet: play a surah first')
  if (!found) {
    const side = command === 'next' ? 'later' : 'earlier'
    throw invalid(command, `no ${side} surah of ${last.reciter || 'this card'} is on the card`)
  }
  return load({ ...machine, repeat_done: 0 }, found, 0)
}

function seek(machine: Machine, position_ms: number): Step {
  const { track, gap, state } = machine
  if (!track) throw invalid('position', 'nothing is playing')
  if (track.kind === 'stream') throw invalid('position', 'a live stream cannot be sought')
  // The engine has let go of the file during a gap.
  if (gap) return load(machine, track, position_ms, state === 'paused')
  return { next: machine, effects: [{ do: 'seek', position_ms }] }
}

/** Never changes whether something plays; a gap of the old mode ends at once. */
function setMode(machine: Machine, body: ModeBody): Step {
  const next = { ...machine, advance: advanceOf(body), repeat_done: 0 }
  return machine.gap ? load(next, machine.gap.upcoming, 0, machine.state === 'paused') : same(next)
}

function ended(
  machine: Machine,
  { reason, error }: Extract<Report, { type: 'ended' }>,
  shelf: Shelf,
): Step {
  if (!machine.track || machine.gap) return same(machine)
  if (reason !== 'eof') return halt(machine, error)
  const after = followUp(machine.advance, machine.track, machine.repeat_done, shelf)
  const next = { ...machine, repeat_done: after.repeat_done }
  if (after.kind === 'stop') return halt(next, null)
  // Sought to its end while paused: what follows is paused as well.
  const paused = machine.state === 'paused'
  if (after.gap_s === 0) return load(next, after.track, 0, paused)
  const start: Effect = { do: 'start-gap', seconds: after.gap_s }
  return {
    next: { ...next, state: paused ? 'paused' : 'playing', gap: { upcoming: after.track } },
    effects: paused ? [start, { do: 'freeze-gap' }] : [start],
  }
}

/** Streams run dry and recover by themselves; a paused one stays paused. */
function follow(machine: Machine, state: 'playing' | 'buffering'): Step {
  const isRunning = machine.state === 'playing' || machine.state === 'buffering'
  const isNews = isRunning && !machine.gap && machine.state !== state
  return same(isNews ? { ...machine, state } : machine)
}

/** What it interrupts keeps its place, and a silence between repetitions its remaining length. */
function announce(
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
function duringAdhan(
  machine: Machine,
  adhan: Adhan,
  happening: Command | Report,
  shelf: Shelf,
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
      return withOwnVolume(step(without, happening, shelf))
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
      if (adhan.kind === 'adhan') throw invalid('position', 'the adhan cannot be sought')
      return seekBeneath(without, happening.position_ms)
    case 'mode':
      return setModeBeneath(machine, adhan, happening.body)
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

function seekBeneath(machine: Machine, position_ms: number): Step {
  // Refuses what cannot be sought.
  seek(machine, position_ms)
  return goOn({ ...machine, gap: null }, position_ms)
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
  // The volume before the sound: the first second must not be as loud as the adhan.
  const quiet: Effect[] = [{ do: 'silence' }, { do: 'own-volume' }]
  if (!track) return { next: machine, effects: quiet }
  if (gap) {
    return {
      next: machine,
      effects: state === 'playing' ? [...quiet, { do: 'thaw-gap' }] : quiet,
    }
  }
  const { next, effects } = load(machine, track, place_ms, state === 'paused')
  return { next, effects: [...quiet, ...effects] }
}

function setModeBeneath(machine: Machine, adhan: Adhan, body: ModeBody): Step {
  const next = { ...machine, advance: advanceOf(body), repeat_done: 0 }
  if (!machine.gap) return same(next)
  return {
    next: { ...next, track: machine.gap.upcoming, gap: null, adhan: { ...adhan, place_ms: 0 } },
    effects: endGap(machine),
  }
}
