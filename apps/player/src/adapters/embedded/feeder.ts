import { isLost } from './byte-reader.ts'
import type { Block } from './fader.ts'
import type { Pcm } from './pcm.ts'
import { createRing, type Ring } from './ring.ts'

export type Finish = { reason: 'eof' | 'error' | 'lost'; error?: string }

export type Feeder = ReturnType<typeof createFeeder>

/** More than any sink writes ahead. */
const HISTORY_S = 1

/** Keeps a ring full from a source that gives sound when it can. */
export function createFeeder(next: () => Promise<Pcm | undefined>, seconds: number) {
  let ring: Ring | undefined
  let rate = 0
  let switching = false
  let finish: Finish | undefined
  let running = true
  let pulse = Promise.withResolvers<void>()

  function changed() {
    pulse.resolve()
    pulse = Promise.withResolvers()
  }

  /** What was stored at the old rate is played out first. */
  async function adoptRate(next: number) {
    switching = true
    while (running && ring && ring.frames() > 0) await pulse.promise
    switching = false
    rate = next
    ring = createRing(Math.ceil(rate * seconds), Math.ceil(rate * HISTORY_S))
  }

  async function store(pcm: Pcm) {
    if (pcm.rate !== rate) await adoptRate(pcm.rate)
    let at = 0
    while (ring && running) {
      at += ring.write(pcm, at, pcm.frames - at)
      changed()
      if (at === pcm.frames) return
      await pulse.promise
    }
  }

  async function feed() {
    try {
      while (running) {
        const pcm = await next()
        if (!pcm) break
        await store(pcm)
      }
      finish = { reason: 'eof' }
    } catch (error) {
      const reason = isLost(error) ? 'lost' : 'error'
      finish = { reason, error: error instanceof Error ? error.message : String(error) }
    } finally {
      changed()
    }
  }

  const fed = feed()

  return {
    rate: () => rate,
    frames: () => ring?.frames() ?? 0,
    /** Set once nothing more is going to come; what is stored is still to be heard. */
    finish: () => finish,
    /** The ring is left to run empty because the rate changes. */
    switching: () => switching,

    has: (wanted_s: number) =>
      finish !== undefined || (rate > 0 && (ring?.frames() ?? 0) >= rate * wanted_s),

    async filled(wanted_s: number) {
      while (running && !this.has(wanted_s)) await pulse.promise
    },

    /** `blocksOf` is asked for the gain of as many frames as there are. */
    take(wanted: number, blocksOf: (frames: number) => Block[]): Int16Array {
      const frames = Math.min(wanted, ring?.frames() ?? 0)
      const samples = ring?.read(blocksOf(frames)) ?? new Int16Array()
      changed()
      return samples
    },

    rewind: (frames: number) => ring?.rewind(frames) ?? 0,

    /** Resolves when the source is at rest. */
    async stop() {
      running = false
      changed()
      await fed
    },
  }
}
