import { createFeeder, type Feeder } from './feeder.ts'
import type { LiveOptions } from './live.ts'
import { createSpans, type Spans } from './spans.ts'
import { openTrack } from './track.ts'

/** One source from its load to its end. */
export type Run = {
  feeder: Feeder
  duration_ms: number
  /** Sound that has to be there before it starts, and starts again. */
  start_s: number
  /** Where the first frame of `spans` belongs. */
  base_ms: number
  spans: Spans
  /** Of what is being written; 0 before the first. */
  rate: number
  /** Sound is being written; not before the first, nor while it starves. */
  flowing: boolean
  /** Times in a row that the device failed, and when it may be tried again. */
  failures: number
  retryAt: number
  /** Undefined for streams. Ends with the feeder at the new place. */
  seek: ((position_ms: number) => Promise<void>) | undefined
  seeking: number
  close(): Promise<void>
}

const FILE_RING_S = 2
const FILE_START_S = 0.2
const LIVE_RING_S = 10
const LIVE_START_S = 1

const fresh = () => ({
  spans: createSpans(),
  rate: 0,
  flowing: false,
  failures: 0,
  retryAt: 0,
  seeking: 0,
})

export function openStreamRun(url: string, options: LiveOptions): Run {
  // The network's modules are 5 MB that a player of files does without.
  const live = import('./live.ts').then(({ openLive }) => openLive(url, options))
  const feeder = createFeeder(async () => (await live).next(), LIVE_RING_S)
  return {
    ...fresh(),
    feeder,
    duration_ms: 0,
    start_s: LIVE_START_S,
    base_ms: 0,
    seek: undefined,
    async close() {
      const opened = await live
      opened.abort()
      await feeder.stop()
      opened.close()
    },
  }
}

/** Resolves when the file is known to be playable and its first sound is decoded. */
export async function openFileRun(path: string, position_ms: number): Promise<Run> {
  const track = await openTrack(path)
  const toFrame = (ms: number) => {
    const frame = Math.max(0, Math.round((ms * track.rate) / 1000))
    return track.frames > 0 ? Math.min(frame, track.frames) : frame
  }
  const toMs = (frame: number) => (frame / track.rate) * 1000

  async function feedFrom(frame: number): Promise<Feeder> {
    await track.seek(frame)
    const feeder = createFeeder(track.next, FILE_RING_S)
    await feeder.filled(FILE_START_S)
    return feeder
  }

  const first = toFrame(position_ms)
  try {
    const feeder = await feedFrom(first)
    const finish = feeder.finish()
    const silent = feeder.frames() === 0 && (track.frames === 0 || first < track.frames)
    if (finish && silent) throw new Error(finish.error ?? 'no sound could be decoded')
    const run: Run = {
      ...fresh(),
      feeder,
      duration_ms: toMs(track.frames),
      start_s: FILE_START_S,
      base_ms: toMs(first),
      async seek(ms) {
        const frame = toFrame(ms)
        await run.feeder.stop()
        run.feeder = await feedFrom(frame)
        run.base_ms = toMs(frame)
        run.spans = createSpans()
      },
      async close() {
        await run.feeder.stop()
        await track.close()
      },
    }
    return run
  } catch (error) {
    await track.close()
    throw error
  }
}
