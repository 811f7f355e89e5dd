import assert from 'node:assert/strict'
import type { AudioEvent, AudioOutput, AudioState } from '../../ports/audio-output.ts'

/** Far above anything that works takes, so that only a hang meets it. */
const PATIENCE_MS = 60_000

/** Every event of an output in order, and a way to wait for one, also if it has already come. */
export function record(output: AudioOutput) {
  const events: (AudioEvent & { at: number })[] = []
  const watchers = new Set<() => void>()
  let seen = 0
  output.onEvent((event) => {
    events.push({ ...event, at: performance.now() })
    for (const watcher of [...watchers]) watcher()
  })

  /** Resolves with the first event that fits and comes after those that were waited for before. */
  function until(name: string, fits: (event: AudioEvent) => boolean) {
    const { promise, resolve, reject } = Promise.withResolvers<AudioEvent & { at: number }>()
    const look = () => {
      const index = events.findIndex((event, at) => at >= seen && fits(event))
      const found = events[index]
      if (!found) return
      seen = index + 1
      settle()
      resolve(found)
    }
    const timer = setTimeout(() => {
      settle()
      reject(new Error(`waited in vain for ${name}; came: ${JSON.stringify(events)}`))
    }, PATIENCE_MS)
    const settle = () => {
      clearTimeout(timer)
      watchers.delete(look)
    }
    watchers.add(look)
    look()
    return promise
  }

  return {
    events,
    /** Only what comes from now on is waited for: a busy machine may have run dry before. */
    forget() {
      seen = events.length
    },
    untilState: (state: AudioState) =>
      until(`state ${state}`, (event) => event.type === 'state' && event.state === state),
    untilType: <Type extends AudioEvent['type']>(type: Type) =>
      until(type, (event) => event.type === type) as Promise<
        Extract<AudioEvent, { type: Type }> & { at: number }
      >,
    /** `playing`, `stopped`, `ended eof`, in the order they came. */
    story: () =>
      events.map((event) => {
        if (event.type === 'state') return event.state
        return event.type === 'ended' ? `ended ${event.reason}` : event.type
      }),
  }
}

/** The position has no events, so it is looked at until it is there. */
export async function untilPosition(output: AudioOutput, position_ms: number): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const { position_ms: now } = output.snapshot()
    if (now >= position_ms) return now
    assert.ok(performance.now() < deadline, `position stays at ${now}, wanted ${position_ms}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/**
 * How many there are, once they are as many, or when nobody would wait any longer: a device is behind
 * what the engine tells, on a busy machine by any time.
 */
export async function atLeast(least: number, count: () => number): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS
  while (count() < least && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 20))
  return count()
}

/** A device takes sound before it is heard. */
const AHEAD_MS = 250

/**
 * Checks positions that go on from one since now; an end is the last of them. A busy machine may be
 * late with sound, by any time, but none of it is heard before its moment.
 */
export function paceFrom(from_ms: number) {
  const began = performance.now()
  return (position_ms: number, what: string, at = performance.now()) => {
    const most = from_ms + (at - began) + AHEAD_MS
    const isBetween = from_ms - AHEAD_MS <= position_ms && position_ms <= most
    assert.ok(isBetween, `${what} is ${position_ms}, not from ${from_ms} to ${most}`)
  }
}

export function near(actual: number, expected: number, slack: number, what: string) {
  const difference = Math.abs(actual - expected)
  assert.ok(difference <= slack, `${what} is ${actual}, not within ${slack} of ${expected}`)
}
