import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mediaPath } from '../testing/media.ts'
import { openSink } from './sinks/open-sink.ts'
import { createTransport } from './transport.ts'

test('the place at the end of a track is known until its end is told, which comes a moment later', async () => {
  let shown = 0
  const { promise: ended, resolve } = Promise.withResolvers<number>()
  const transport = createTransport({
    openSink: (rate, events) => openSink('null', { rate, events }),
    report: ({ type }) => type === 'ended' && resolve(shown),
    setPosition: (ms) => {
      shown = ms
    },
    volume: 100,
  })
  const path = mediaPath('sweep.wav')
  await transport.load({ kind: 'file', path }, { position_ms: 2900 })
  assert.ok((await ended) >= 2900)
  await transport.close()
})
