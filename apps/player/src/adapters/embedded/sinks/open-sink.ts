import { createCaptureSink } from './capture.ts'
import { createChildSink } from './child.ts'
import { createNullSink } from './null.ts'
import type { Sink, SinkName, SinkOptions } from './sink.ts'

export function openSink(name: SinkName, options: SinkOptions): Sink {
  if (name === 'null') return createNullSink(options.rate)
  if (name === 'aplay' || name === 'pw-cat') return createChildSink(name, options)
  return createCaptureSink(name.slice('capture:'.length), options.rate)
}
