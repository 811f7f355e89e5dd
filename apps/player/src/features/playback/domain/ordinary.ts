import { invalid } from '@manara/kit/errors'
import { followUp } from './advance.ts'
import { seek } from './seek.ts'
import { beginning, changed } from './set-mode.ts'
import type { Command, Effect, Machine, Report, Step } from './state.ts'
import { entering, halt, load, same } from './steps.ts'
import { type Shelf, surahAfter, surahBefore, type Track } from './track.ts'
import type { VerseBook } from './verse-clips.ts'

/** What happens while no adhan sounds. */
export function ordinary(
  machine: Machine,
  happening: Exclude<Command, { type: 'adhan' }> | Report,
  shelf: Shelf,
  book: VerseBook,
): Step {
  switch (happening.type) {
    case 'play':
      return play(machine, happening, shelf, book)
    case 'pause':
      return pause(machine)
    case 'resume':
      return resume(machine)
    case 'stop':
      return machine.track ? halt(machine, null) : same(machine)
    case 'next':
    case 'prev':
      return neighbour(machine, happening, shelf, book)
    case 'seek':
    case 'seek-verse':
      return seek(machine, happening, book)
    case 'mode':
      return setMode(machine, happening, shelf, book)
    case 'speed':
      return setSpeed(machine, happening.speed)
    case 'ended':
      return ended(machine, happening, shelf, book)
    case 'engine':
      return follow(machine, happening.state)
    case 'gap-over':
      return machine.gap && machine.state === 'playing'
        ? load(machine, machine.gap.upcoming)
        : same(machine)
    case 'adhan-over':
      return same(machine)
    case 'source-gone':
      return machine.track ? halt(machine, happening.error) : same(machine)
  }
}

function play(
  machine: Machine,
  wanted: Extract<Command, { type: 'play' }>,
  shelf: Shelf,
  book: VerseBook,
): Step {
  const { volume, softly } = wanted
  const entrance = { ...(volume !== undefined && { volume }), ...(softly && { softly }) }
  const { track, position_ms, ...mode } = beginning(machine, wanted, shelf, book)
  const { next, effects } = load({ ...machine, ...mode }, track, position_ms)
  return { next, effects: effects.map((effect) => entering(effect, entrance)) }
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

function neighbour(
  machine: Machine,
  { type: command, ...entrance }: Extract<Command, { type: 'next' | 'prev' }>,
  shelf: Shelf,
  book: VerseBook,
): Step {
  const { last } = machine
  const search = command === 'next' ? surahAfter : surahBefore
  const found = last?.surah_number ? search(shelf, last.reciter, last.surah_number) : undefined
  if (!last) throw invalid(command, 'no reciter has been played yet: play a surah first')
  if (!found) {
    const side = command === 'next' ? 'later' : 'earlier'
    throw invalid(command, `no ${side} surah of ${last.reciter || 'this card'} is on the card`)
  }
  const wanted = { type: 'play' as const, track: found, position_ms: 0, repeat_done: 0 }
  return play(machine, { ...wanted, ...entrance }, shelf, book)
}

/** Never changes whether something plays; a gap of the old mode ends at once. */
function setMode(
  machine: Machine,
  wanted: Extract<Command, { type: 'mode' }>,
  shelf: Shelf,
  book: VerseBook,
): Step {
  const { gap, state } = machine
  const { track, position_ms, ...mode } = changed(machine, wanted, shelf, book)
  const next = { ...machine, ...mode, own: null }
  if (!track) return same(next)
  // A verse that is a file of its own goes on as it is.
  if (!gap && isSamePart(machine.track, track)) return same({ ...next, track })
  return load(next, track, position_ms, state === 'paused')
}

function isSamePart(one: Track | null, other: Track): boolean {
  if (one?.kind !== 'file' || other.kind !== 'file') return false
  return one.path === other.path && !one.clip && !other.clip
}

function setSpeed(machine: Machine, speed: number): Step {
  if (machine.track?.kind === 'stream')
    throw invalid('speed', 'a live stream plays at its own speed')
  const isLoaded = machine.track && !machine.gap && machine.speed !== speed
  return { next: { ...machine, speed }, effects: isLoaded ? [{ do: 'speed', speed }] : [] }
}

function ended(
  machine: Machine,
  { reason, error, left_ms = 0 }: Extract<Report, { type: 'ended' }>,
  shelf: Shelf,
  book: VerseBook,
): Step {
  if (!machine.track || machine.gap) return same(machine)
  if (reason !== 'eof') return halt(machine, error)
  const { advance, track, repeat_done, speed } = machine
  const after = followUp(advance, track, repeat_done, { shelf, book, speed })
  const next = { ...machine, repeat_done: after.repeat_done }
  if (after.kind === 'stop') return halt(next, after.error ?? (error || null))
  // Sought to its end while paused: what follows is paused as well.
  const paused = machine.state === 'paused'
  if (after.gap_s === 0) return load(next, after.track, undefined, paused)
  // The silence begins with the last sound.
  const start: Effect = { do: 'start-gap', seconds: after.gap_s + left_ms / 1000 }
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
