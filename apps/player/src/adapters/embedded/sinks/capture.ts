import { appendFileSync } from 'node:fs'
import { createNullSink } from './null.ts'
import type { Sink } from './sink.ts'

/** True time without a device, and what would have been heard goes to a file: raw S16LE stereo. */
export function createCaptureSink(path: string, rate: number): Sink {
  const silent = createNullSink(rate)
  return {
    ...silent,
    write(samples) {
      appendFileSync(path, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
      silent.write(samples)
    },
  }
}
