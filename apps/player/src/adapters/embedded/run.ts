import { cutAfter } from './clip.ts'
import { createFeeder, type Feeder } from './feeder.ts'
import type { LiveOptions } from './live.ts'
import { createSpans, type Spans } from './spans.ts'
import { stretched } from './stretch.ts'
import { openTrack } from './track.ts'

/** One source from its load to its end. */
export type Run = {
  feeder: Feeder
  duration_ms: number
  /** Sound that has to be there before it starts, and starts again. */
  start_s: number
  /** Where the first frame of `spans` belongs. */
  base_ms: number
  /** Time of the file that passes in one of ours. */
  speed: number
  spans: Spans
  /** Of what is being written; 0 before the first. */
  rate: number
  /** Sound is being written; not before the first, nor while it starves. */
  flowing: boolean
  /** Times in a row that the device failed, and when it may be tried again. */
  failures: number
  retryAt: number
  /** Undefined for streams. Ends with the feeder at the new place. */
  seek: ((position_ms: number, speed?: number) => Promise<void>) | undefined
  seeking: number
  close(): Promise<void>
}

const FILE_RING_S = 2
const FILE_START_S = 0.2
const LIVE_RING_S = 10
const LIVE_START_S = 1

const fresh = () => ({
  speed: 1,
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

/** Where a file begins and ends, and how fast it plays. */
export type Stretch = { position_ms: number; until_ms?: number | undefined; speed: number }

/** Resolves when the file is known to be playable and its first sound is decoded. */
export async function openFileRun(
  path: string,
  { position_ms, until_ms, speed }: Stretch,
): Promise<Run> {
  const track = await openTrack(path)
  const toFrame = (ms: number) => {
    const frame = Math.max(0, Math.round((ms * track.rate) / 1000))
    return track.frames > 0 ? Math.min(frame, track.frames) : frame
  }
  const toMs = (frame: number) => (frame / track.rate) * 1000
  const end = until_ms === undefined ? undefined : toFrame(until_ms)
  // Where the file ends by itself there is nothing to cut.
  const cut = end === undefined || end === track.frames ? undefined : end

  async function feedFrom(frame: number, pace: number): Promise<Feeder> {
    await track.seek(frame, cut !== undefined)
    const next = cut === undefined ? track.next : cutAfter(track.next, cut - frame)
    const feeder = createFeeder(stretched(next, pace), FILE_RING_S)
    await feeder.filled(FILE_START_S)
    return feeder
  }

  const first = toFrame(position_ms)
  try {
    const feeder = await feedFrom(first, speed)
    const finish = feeder.finish()
    const last = cut ?? track.frames
    const silent = feeder.frames() === 0 && (last === 0 || first < last)
    if (finish && silent) throw new Error(finish.error ?? 'no sound could be decoded')
    const run: Run = {
      ...fresh(),
      feeder,
      speed,
      duration_ms: toMs(track.frames),
      start_s: FILE_START_S,
      base_ms: toMs(first),
      async seek(ms, pace = run.speed) {
        const frame = Math.min(toFrame(ms), cut ?? Number.POSITIVE_INFINITY)
        await run.feeder.stop()
        run.feeder = await feedFrom(frame, pace)
        run.speed = pace
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
