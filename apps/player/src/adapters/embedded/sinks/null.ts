import { createPace } from './pace.ts'
import type { Sink } from './sink.ts'

/** No device: sound is dropped, but in true time, so that everything else behaves as with one. */
export function createNullSink(rate: number): Sink {
  const pace = createPace(rate, 0)
  return {
    wanted: pace.wanted,
    write: (samples) => pace.wrote(samples.length / 2),
    heard: pace.heard,
    written: pace.written,
    resumeClock: pace.resumeClock,
    drain: async () => {},
    close: () => {},
  }
}
