import type { Sink, SinkEvents } from './sinks/sink.ts'

export type LineOptions = {
  openSink(rate: number, events: SinkEvents): Sink
  onUnderrun(): void
  /** The device is gone. `heard` is how far it had come; what was written beyond is lost. */
  onFailed(error: Error, heard: number): void
}

/**
 * The one way to the device. It stays open across tracks and pauses, with silence in between where
 * the device would stop without, and is opened anew only for another sample rate.
 */
export function createLine({ openSink, onUnderrun, onFailed }: LineOptions) {
  let sink: Sink | undefined
  let freeing: Promise<void> | undefined
  /** Frames of sinks that were open before: numbers of frames go on from one to the next. */
  let before = 0
  /** Where the last sound that was written ends. */
  let soundEnd = 0
  let usedAt = 0

  const heard = () => before + (sink?.heard() ?? 0)
  const written = () => before + (sink?.written() ?? 0)
  const unheard = () => Math.max(0, soundEnd - heard())

  function forget(last: Sink) {
    sink = undefined
    before += last.written()
  }

  function open(rate: number) {
    const opened = openSink(rate, {
      underrun: () => sink === opened && onUnderrun(),
      failed(error) {
        if (sink !== opened) return
        const reached = heard()
        forget(opened)
        opened.close()
        onFailed(error, reached)
      },
    })
    sink = opened
  }

  /** Lets what was written be heard, then closes. */
  function free() {
    const last = sink
    if (!last) return
    forget(last)
    const freed = last.finish().finally(() => {
      if (freeing === freed) freeing = undefined
    })
    freeing = freed
  }

  /** Opens at this rate; false while sound of another rate is still being heard. */
  function isReady(rate: number): boolean {
    if (sink && sink.rate !== rate) free()
    if (freeing) return false
    if (!sink) open(rate)
    return true
  }

  return {
    isReady,
    free,
    /** The same, for those who can wait. */
    async ready(rate: number) {
      while (!isReady(rate)) await freeing
    },
    isOpen: () => sink !== undefined,

    heard,
    written,
    /** Frames of sound that have been written and not heard. */
    unheard,
    /** So little is left to be heard that what comes next should be at hand. */
    isNearEnd: () => unheard() <= (sink?.lead ?? 0),
    isDry: () => sink?.isDry() ?? true,
    wanted: () => sink?.wanted(true) ?? 0,
    resumeClock: () => sink?.resumeClock(),

    write(samples: Int16Array) {
      sink?.write(samples)
      soundEnd = written()
      usedAt = performance.now()
    },

    /** Keeps the device running without sound; after `patience_ms` of that it is let go. */
    fill(patience_ms: number) {
      if (!sink) return
      if (performance.now() - usedAt > patience_ms) return free()
      const frames = sink.wanted(false)
      if (frames > 0) sink.write(new Int16Array(frames * 2))
    },

    /** At once; what has not been heard is dropped. */
    async close() {
      sink?.close()
      sink = undefined
      await freeing
    },
  }
}
