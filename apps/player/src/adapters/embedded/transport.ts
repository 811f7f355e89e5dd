import { createQueue } from '@manara/kit/queue'
import type { AudioSource, Falling, LoadOptions } from '../../ports/audio-output.ts'
import type { StreamTimings } from '../stream-fetch.ts'
import { RAMP_MS } from './fader.ts'
import { createPump, type PumpOptions } from './pump.ts'
import { openFileRun, openStreamRun, type Run } from './run.ts'

export type TransportOptions = PumpOptions & { timings?: Partial<StreamTimings> }

const REPLACED = 'another source was loaded or playback was stopped'
const NOTHING = 'nothing is loaded'

/** What can be asked of the engine, on one pump. */
export function createTransport({ timings, ...options }: TransportOptions) {
  const { report } = options
  const pump = createPump(options)
  const { become, line } = pump
  let loads = 0
  /** Of a file that is being opened: whether it is to stand still when it is. */
  let opening: { paused: boolean } | undefined
  const seeks = createQueue()

  /** What plays goes on until the file is known to be playable. */
  async function loadFile(path: string, options: LoadOptions) {
    const mine = ++loads
    const { position_ms = 0, until_ms, speed = 100, paused = false } = options
    const wish = { paused }
    opening = wish
    pump.hold(true)
    try {
      const opened = await openFileRun(path, { position_ms, until_ms, speed: speed / 100 })
      await takeOver(mine, options, opened)
      enter(options, position_ms)
      pump.put(opened, wish.paused)
    } catch (error) {
      if (mine === loads) pump.hold(false)
      if (mine === loads && wish.paused && !paused) await hold()
      throw error
    } finally {
      if (opening === wish) opening = undefined
    }
    if (pump.isPaused()) become('paused')
  }

  /** Resolves when nothing of the source before is left to be written; rejects when another was faster. */
  async function takeOver(mine: number, { fade_out_ms }: LoadOptions, opened?: Run) {
    if (mine === loads) await pump.hush(fade_out_ms)
    if (mine === loads) pump.drop()
    if (mine === loads && opened) await line.ready(opened.feeder.rate())
    if (mine === loads) return
    await opened?.close()
    throw new Error(REPLACED)
  }

  async function loadStream(url: string, options: LoadOptions) {
    const mine = ++loads
    const { paused = false } = options
    opening = undefined
    await takeOver(mine, options)
    const onTitle = (title: string) => pump.run() === opened && report({ type: 'metadata', title })
    const isStarving = () => pump.state() === 'buffering'
    const opened = openStreamRun(url, { onTitle, isStarving, ...(timings && { timings }) })
    enter(options, 0)
    pump.put(opened, paused)
    become(paused ? 'paused' : 'buffering')
  }

  /** In the middle of a sound the first sample would click. */
  function enter({ volume, fade_in_ms = 0, falling }: LoadOptions, position_ms: number) {
    const rise_ms = Math.max(fade_in_ms, position_ms > 0 ? RAMP_MS : 0)
    pump.enter({ volume, rise_ms, falling })
  }

  async function hold(fade_ms?: number) {
    if (await pump.hush(fade_ms)) await pump.pause()
  }

  /** The sound goes on from another place of its file, or at another speed. */
  async function move(
    ofStream: string,
    falling: Falling | undefined,
    to: (current: Run) => Promise<void> | undefined,
  ) {
    const current = pump.run()
    if (!current) throw new Error(NOTHING)
    if (!current.seek) throw new Error(ofStream)
    await pump.hush()
    // One after the other; sound goes on after the last.
    current.seeking += 1
    try {
      await seeks.run(() => (pump.run() === current ? to(current) : undefined))
    } catch (error) {
      pump.finish(current, { reason: 'lost', error: (error as Error).message })
      throw error
    } finally {
      current.seeking -= 1
    }
    if (pump.run() !== current) throw new Error(REPLACED)
    enter(falling ? { falling } : {}, current.base_ms)
    pump.put(current, pump.isPaused())
  }

  return {
    load: (source: AudioSource, options: LoadOptions) =>
      source.kind === 'file' ? loadFile(source.path, options) : loadStream(source.url, options),

    seek: (position_ms: number, falling?: Falling) =>
      move('a live stream cannot be sought', falling, (current) => current.seek?.(position_ms)),

    /** What was decoded at the old speed and not written yet is decoded again. */
    setSpeed: (percent: number, falling?: Falling) =>
      move('a live stream plays at its own speed', falling, (current) =>
        current.seek?.(pump.written_ms(current), percent / 100),
      ),

    stop() {
      loads += 1
      opening = undefined
      void pump.hush()
      pump.drop()
      become('stopped')
    },

    async pause(fade_ms?: number) {
      if (opening) opening.paused = true
      else if (pump.run()) await hold(fade_ms)
      else throw new Error(NOTHING)
    },

    resume(falling?: Falling) {
      if (opening) opening.paused = false
      else if (pump.run()) pump.resume(falling)
      else throw new Error(NOTHING)
    },

    /** Sound goes on through another sink, after what this one still holds. */
    renewSink: pump.renewSink,
    setVolume: pump.setVolume,
    fade: pump.fade,
    condition: () => ({
      state: pump.state(),
      duration_ms: Math.round(pump.run()?.duration_ms ?? 0),
    }),

    async close() {
      this.stop()
      await pump.close()
    },
  }
}
