import type { AudioEvent, AudioState, Falling } from '../../ports/audio-output.ts'
import { createFader, RAMP_MS } from './fader.ts'
import type { Finish } from './feeder.ts'
import { createLine, type LineOptions } from './line.ts'
import type { Run } from './run.ts'
import { createSpans } from './spans.ts'
import { createTicks } from './ticks.ts'

export type PumpOptions = {
  openSink: LineOptions['openSink']
  report(event: AudioEvent): void
  setPosition(ms: number): void
  volume: number
}

type Entry = {
  volume?: number | undefined
  rise_ms: number
  falling?: Falling | undefined
}

const RETRY_MS = 500
/** A device that never worked is told soon; one that was pulled out may be put back in. */
const RETRIES = 3
const RETRIES_OF_KNOWN = 120
/** Without sound for this long the device is let go, for others and for the battery. */
const IDLE_MS = 30_000
const PAUSED_MS = 600_000
/**
 * How far a device had come when it was lost is known from the last time it was asked, and from the
 * clock since: rather this much is heard twice than anything never.
 */
const AGAIN_S = 0.25

/** Moves sound from one run to the device in true time, and knows what state that is. */
export function createPump({ openSink, report, setPosition, volume }: PumpOptions) {
  const fader = createFader(volume)
  const line = createLine({
    openSink,
    onUnderrun: () => run?.flowing && report({ type: 'underrun', count: 0 }),
    onFailed,
  })
  const ticks = createTicks(tick)
  let run: Run | undefined
  let paused = false
  /** What sounds is being brought to silence: nothing is taken of it beyond. */
  let hushing = false
  /** Another run is about to take its place, so that its end is no longer told. */
  let held = false
  let hasWorked = false
  let state: AudioState = 'stopped'

  function become(next: AudioState) {
    if (state === next) return
    state = next
    report({ type: 'state', state })
  }

  /** True while there is something to do. */
  function tick(): boolean {
    const isSounding = run !== undefined && !paused && run.seeking === 0 && advance(run)
    if (!isSounding) line.fill(run ? PAUSED_MS : IDLE_MS)
    if (run) showPosition(run)
    return run !== undefined || line.isOpen()
  }

  /** Writes what the device wants; false when there is no sound for it. */
  function advance(current: Run): boolean {
    const { feeder } = current
    const how = feeder.finish()
    if (how && feeder.frames() === 0) {
      if (!held && line.isNearEnd()) finish(current, how)
      return false
    }
    if (current.flowing && feeder.rate() !== current.rate) current.flowing = false
    if (!current.flowing && !begin(current)) return false
    if (hushing && fader.left_ms() === 0) return false
    pour(current, line.wanted())
    if (feeder.frames() > 0 || feeder.finish() || feeder.switching() || !line.isDry()) return true
    current.flowing = false
    report({ type: 'underrun', count: 0 })
    become('buffering')
    return false
  }

  function begin(current: Run): boolean {
    const { feeder } = current
    if (!feeder.has(current.start_s) || performance.now() < current.retryAt) {
      become('buffering')
      return false
    }
    if (!line.isReady(feeder.rate())) return false
    if (feeder.rate() !== current.rate) countFrom(current, current.spans.total())
    current.rate = feeder.rate()
    current.flowing = true
    line.resumeClock()
    become('playing')
    return true
  }

  function pour(current: Run, wanted: number) {
    const { rate, spans } = current
    const most = hushing ? Math.ceil((fader.left_ms() * rate) / 1000) : wanted
    const samples = current.feeder.take(Math.min(wanted, most), (frames) =>
      fader.blocks(frames, rate),
    )
    if (samples.length === 0) return
    spans.wrote(line.written(), samples.length / 2)
    line.write(samples)
    if (spans.heard(line.heard()) < rate * 2) return
    current.failures = 0
    hasWorked = true
  }

  /** Time of the file in so many frames of the device. */
  const toMs = ({ rate, speed }: Run, frames: number) =>
    rate > 0 ? (frames / rate) * 1000 * speed : 0

  const showPosition = (current: Run) =>
    setPosition(current.base_ms + toMs(current, current.spans.heard(line.heard())))

  /** So many frames have been heard, and counting starts anew from there. */
  function countFrom(current: Run, frames: number) {
    current.base_ms += toMs(current, frames)
    current.spans = createSpans()
  }

  /** The device may be back in a moment: a card that another program held, a plug that was pulled. */
  function onFailed(error: Error, reached: number) {
    const current = run
    if (!current) return
    const total = current.spans.total()
    const heard = current.spans.heard(reached)
    const again = paused ? 0 : Math.min(heard, Math.floor(AGAIN_S * current.rate))
    countFrom(current, total - current.feeder.rewind(total - heard + again))
    showPosition(current)
    current.flowing = false
    current.failures += 1
    current.retryAt = performance.now() + RETRY_MS
    const isHopeless = current.failures > (hasWorked ? RETRIES_OF_KNOWN : RETRIES)
    if (isHopeless) finish(current, { reason: 'lost', error: error.message })
    else if (!paused) become('buffering')
  }

  function finish(current: Run, { reason, error }: Finish) {
    if (run !== current) return
    const left_ms = current.rate > 0 ? Math.round((line.unheard() / current.rate) * 1000) : 0
    drop()
    become('stopped')
    report({ type: 'ended', reason, ...(error !== undefined && { error }), left_ms })
  }

  function drop() {
    void run?.close().catch(() => {})
    run = undefined
    paused = false
    hushing = false
    held = false
  }

  return {
    line,
    become,
    finish,
    drop,
    run: () => run,
    state: () => state,
    isPaused: () => paused,
    /** Where in its file the last sound ends that was given to the device. */
    written_ms: (current: Run) => current.base_ms + toMs(current, current.spans.total()),
    setVolume: fader.setVolume,
    fade: fader.fade,

    /** From now on this sounds, or stands where it is. */
    put(next: Run, isPaused: boolean) {
      run = next
      paused = isPaused
      showPosition(next)
      ticks.start()
    },

    hold(isHeld: boolean) {
      held = isHeld
    },

    /** The first sound of a source or of a place in it. */
    enter({ volume, rise_ms, falling }: Entry) {
      hushing = false
      if (volume !== undefined) fader.useVolume(volume)
      fader.fade(rise_ms > 0 ? 0 : 1, 0)
      if (falling) fader.fall(falling, rise_ms)
      else fader.fade(1, rise_ms)
    },

    /** Brings what sounds to silence. Resolves when the last of it is written; false: called off. */
    async hush(fade_ms = 0): Promise<boolean> {
      const current = run
      if (!current?.flowing || paused || current.seeking > 0) return true
      hushing = true
      fader.fade(0, Math.max(RAMP_MS, fade_ms))
      // A short one is written at once, though the device has enough: what follows waits for it.
      if (fade_ms <= RAMP_MS) pour(current, current.rate)
      const { feeder } = current
      const isOver = () => feeder.finish() !== undefined && feeder.frames() === 0
      const isSilent = () => !current.flowing || isOver() || fader.left_ms() === 0
      await ticks.until(() => run !== current || !hushing || isSilent())
      if (run === current && hushing) current.flowing = false
      return run !== current || hushing
    },

    /** After `hush`. Resolves when the device has let out what was written. */
    async pause() {
      const current = run
      paused = true
      await ticks.until(() => run !== current || !paused || line.unheard() === 0)
      if (!current || run !== current || !paused) return
      showPosition(current)
      become('paused')
    },

    resume(falling?: Falling) {
      paused = false
      hushing = false
      if (falling) fader.fall(falling, RAMP_MS)
      else if (!fader.isRising()) fader.fade(1, RAMP_MS)
      ticks.start()
    },

    renewSink() {
      line.free()
      if (run) run.flowing = false
    },

    async close() {
      ticks.stop()
      await line.close()
    },
  }
}
