import { createQueue } from '@manara/kit/queue'
import type { AudioEvent, AudioSource, AudioState } from '../../ports/audio-output.ts'
import type { StreamTimings } from '../stream-fetch.ts'
import type { Finish } from './feeder.ts'
import { openFileRun, openStreamRun, type Run } from './run.ts'
import type { Sink, SinkEvents } from './sinks/sink.ts'

export type TransportOptions = {
  openSink(rate: number, events: SinkEvents): Sink
  report(event: AudioEvent): void
  setPosition(ms: number): void
  timings?: Partial<StreamTimings>
  volume: number
}

const TICK_MS = 20
const SINK_RETRY_MS = 500
const SINK_RETRIES = 3
const REPLACED = 'another source was loaded or playback was stopped'

/** By ear: half the number sounds about half as loud. */
const gainOf = (percent: number) => (percent / 100) ** 3

/** Moves sound from the source to the sink in true time, and knows what state that is. */
export function createTransport({
  openSink,
  report,
  setPosition,
  timings,
  volume,
}: TransportOptions) {
  let run: Run | undefined
  let loads = 0
  let loading = false
  let paused = false
  let state: AudioState = 'stopped'
  let gain = gainOf(volume)
  let wantedGain = gain
  const seeks = createQueue()
  const closing = new Set<Promise<void>>()
  const timer = setInterval(tick, TICK_MS)

  function become(next: AudioState) {
    if (state === next) return
    state = next
    report({ type: 'state', state })
  }

  function tick() {
    if (!run || paused || run.seeking > 0 || run.ending) return
    if (run.sink) pour(run, run.sink)
    else begin(run)
  }

  function begin(current: Run) {
    const { feeder } = current
    if (feeder.finish() && feeder.frames() === 0) return end(current)
    if (!feeder.has(current.start_s) || performance.now() < current.retryAt)
      return become('buffering')
    current.sinkRate = feeder.rate()
    current.starved = false
    const sink = openSink(current.sinkRate, {
      underrun: () => current.sink === sink && report({ type: 'underrun', count: 0 }),
      failed: (error) => current.sink === sink && retrySink(current, error),
    })
    current.sink = sink
    become('playing')
    pour(current, sink)
  }

  function pour(current: Run, sink: Sink) {
    const { feeder } = current
    if (current.starved && !feeder.has(current.start_s)) return showPosition(current)
    if (feeder.rate() !== current.sinkRate) return end(current)
    if (current.starved) {
      current.starved = false
      sink.resumeClock()
      become('playing')
    }
    const wanted = sink.wanted()
    const samples = feeder.take(wanted, gain, wantedGain)
    const taken = samples.length / 2
    if (taken > 0) {
      gain = wantedGain
      sink.write(samples)
    }
    if (sink.heard() > current.sinkRate * 2) current.failures = 0
    showPosition(current)
    if (taken === wanted || feeder.switching()) return
    if (feeder.finish()) return end(current)
    current.starved = true
    report({ type: 'underrun', count: 0 })
    become('buffering')
  }

  const positionOf = ({ base_ms, sink, sinkRate }: Run) =>
    base_ms + (sink ? (sink.heard() / sinkRate) * 1000 : 0)

  const showPosition = (current: Run) => setPosition(positionOf(current))

  /** Takes the sink away; what it had not let out yet goes back into the ring. */
  function halt(current: Run) {
    const { sink } = current
    if (!sink) return
    const unheard = sink.written() - sink.heard()
    current.base_ms = positionOf(current)
    current.sink = undefined
    current.ending = undefined
    current.feeder.rewind(unheard)
    sink.close()
    showPosition(current)
  }

  /** The device may be back in a moment: a card that another program held, a USB plug. */
  function retrySink(current: Run, error: Error) {
    halt(current)
    current.failures += 1
    current.retryAt = performance.now() + SINK_RETRY_MS
    if (current.failures > SINK_RETRIES) finish(current, { reason: 'lost', error: error.message })
    else if (!paused) become('buffering')
  }

  /** The last sound is written; it is over when that has been heard. Also between two sample rates. */
  function end(current: Run) {
    const { sink } = current
    const how = current.feeder.finish()
    if (!sink && how) return finish(current, how)
    current.ending = sink
    void sink?.drain().then(() => {
      if (run !== current || current.ending !== sink) return
      halt(current)
      if (how) finish(current, how)
    })
  }

  function finish(current: Run, { reason, error }: Finish) {
    if (run !== current) return
    dismiss()
    become('stopped')
    report({ type: 'ended', reason, ...(error !== undefined && { error }) })
  }

  function dismiss() {
    const old = run
    run = undefined
    paused = false
    setPosition(0)
    if (!old) return
    old.sink?.close()
    old.sink = undefined
    const closed = old.close().catch(() => {})
    closing.add(closed)
    void closed.then(() => closing.delete(closed))
  }

  async function load(source: AudioSource, position_ms: number, startPaused: boolean) {
    const mine = ++loads
    dismiss()
    paused = startPaused
    if (source.kind === 'stream') {
      const onTitle = (title: string) => run === opened && report({ type: 'metadata', title })
      const opened = openStreamRun(source.url, { onTitle, ...(timings && { timings }) })
      run = opened
      return become(paused ? 'paused' : 'buffering')
    }
    loading = true
    setPosition(position_ms)
    try {
      const opened = await openFileRun(source, position_ms)
      if (mine !== loads) await opened.close()
      if (mine !== loads) throw new Error(REPLACED)
      run = opened
      showPosition(opened)
    } catch (error) {
      if (mine === loads) stop()
      throw error
    } finally {
      if (mine === loads) loading = false
    }
    if (paused) become('paused')
    else tick()
  }

  function stop() {
    loads += 1
    loading = false
    dismiss()
    become('stopped')
  }

  async function seek(position_ms: number) {
    const current = run
    if (!current) throw new Error('nothing is loaded')
    if (!current.seek) throw new Error('a live stream cannot be sought')
    halt(current)
    // One after the other; sound goes on after the last.
    current.seeking += 1
    try {
      await seeks.run(() => (run === current ? current.seek?.(position_ms) : undefined))
    } catch (error) {
      finish(current, { reason: 'lost', error: (error as Error).message })
      throw error
    } finally {
      current.seeking -= 1
    }
    if (run !== current) throw new Error(REPLACED)
    showPosition(current)
    tick()
  }

  return {
    load,
    seek,
    stop,
    condition: () => ({ state, duration_ms: Math.round(run?.duration_ms ?? 0) }),

    pause() {
      if (!run && !loading) throw new Error('nothing is loaded')
      paused = true
      if (!run) return
      halt(run)
      become('paused')
    },

    resume() {
      if (!run && !loading) throw new Error('nothing is loaded')
      paused = false
      tick()
    },

    setVolume(percent: number) {
      wantedGain = gainOf(percent)
    },

    async close() {
      clearInterval(timer)
      stop()
      await Promise.all(closing)
    },
  }
}
