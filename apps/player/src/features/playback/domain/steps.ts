import type { Effect, Entrance, Machine, Step } from './state.ts'
import { startOf, type Track } from './track.ts'

export const same = (machine: Machine): Step => ({ next: machine, effects: [] })

export function load(
  machine: Machine,
  track: Track,
  position_ms = startOf(track),
  paused = false,
): Step {
  const state = paused ? 'paused' : track.kind === 'file' ? 'playing' : 'buffering'
  const last = track.kind === 'file' ? track : machine.last
  const speed = machine.speed === 100 ? {} : { speed: machine.speed }
  return {
    next: { ...machine, state, track, last, gap: null, error: null },
    effects: [{ do: 'load', track, position_ms, paused, ...speed }, ...endGap(machine)],
  }
}

export const entering = (effect: Effect, entrance: Entrance): Effect =>
  effect.do === 'load' ? { ...entrance, ...effect } : effect

export const endGap = (machine: Machine): Effect[] => (machine.gap ? [{ do: 'end-gap' }] : [])

export function halt(machine: Machine, error: string | null): Step {
  return {
    next: { ...machine, state: 'stopped', track: null, gap: null, error },
    effects: [...endGap(machine), { do: 'stop' }],
  }
}
