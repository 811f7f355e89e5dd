import { parentPort, workerData } from 'node:worker_threads'
import { collectGarbage } from '@manara/kit/collect-garbage'
import type { Call, Report, Request, WorkerSettings } from './protocol.ts'
import { openSink } from './sinks/open-sink.ts'
import { createTransport } from './transport.ts'

/** Decoding and pacing live here, so that nothing the service does can make the sound stutter. */
const { command, asound, timings, volume, position } = workerData as WorkerSettings
let { sink } = workerData as WorkerSettings
const shared = new BigInt64Array(position)
let load = 0

/** Decoders and buffers of what played before: up to 30 MB that V8 knows to be outside its heap. */
const TIDY_AFTER_MS = 500
let isTidying = false

function tidySoon() {
  if (isTidying) return
  isTidying = true
  setTimeout(() => {
    isTidying = false
    collectGarbage()
  }, TIDY_AFTER_MS).unref()
}

const say = (report: Report) => parentPort?.postMessage(report)

const transport = createTransport({
  openSink: (rate, events) =>
    openSink(sink, { rate, events, ...(command && { command }), ...(asound && { asound }) }),
  report: (event) => say({ load, condition: transport.condition(), event }),
  setPosition: (ms) => Atomics.store(shared, 0, BigInt(Math.round(ms))),
  volume,
  ...(timings && { timings }),
})

parentPort?.on('message', async ({ id, load: number, call }: Request) => {
  load = number
  try {
    await carryOut(call)
    say({ id, load: number, condition: transport.condition() })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    say({ id, load: number, condition: transport.condition(), error: reason })
  }
})

async function carryOut(call: Call): Promise<void> {
  switch (call.name) {
    case 'load':
      tidySoon()
      return transport.load(call.source, call.options)
    case 'seek':
      return transport.seek(call.position_ms, call.falling)
    case 'setSpeed':
      return transport.setSpeed(call.percent, call.falling)
    case 'setVolume':
      return transport.setVolume(call.percent)
    case 'fade':
      return transport.fade(call.level, call.duration_ms)
    case 'useSink':
      sink = call.sink
      return transport.renewSink()
    case 'pause':
      return transport.pause(call.fade_ms)
    case 'resume':
      return transport.resume(call.falling)
    case 'stop':
      return transport.stop()
    case 'close':
      return transport.close()
  }
}
