import { createPace } from './pace.ts'
import type { Sink } from './sink.ts'

/** No device: sound is dropped, but in true time, so that everything else behaves as with one. */
export function createNullSink(rate: number): Sink {
  const pace = createPace(rate, { sound_s: 0, silence_s: 0, start_s: 0 })
  return {
    rate,
    lead: pace.lead,
    wanted: pace.wanted,
    heard: pace.heard,
    written: pace.written,
    isDry: pace.isDry,
    resumeClock: pace.resumeClock,
    write: (samples) => pace.wrote(samples.length / 2),
    finish: async () => {},
    close: () => {},
  }
}
