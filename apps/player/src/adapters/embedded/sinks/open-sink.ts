import { createCaptureSink } from './capture.ts'
import { createChildSink } from './child.ts'
import { createNullSink } from './null.ts'
import type { Sink, SinkName, SinkOptions } from './sink.ts'

export function openSink(name: SinkName, options: SinkOptions): Sink {
  if (name === 'null') return createNullSink(options.rate)
  if (name === 'aplay' || name === 'pw-cat') return createChildSink(name, options)
  const kind = name.slice(0, name.indexOf(':'))
  const target = name.slice(kind.length + 1)
  if (kind === 'alsa') return createChildSink('aplay', options, target)
  if (kind === 'pipewire') return createChildSink('pw-cat', options, target)
  return createCaptureSink(target, options.rate)
}
