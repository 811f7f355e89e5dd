import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEmbeddedAudio } from '../embedded-audio.ts'
import { mediaPath } from '../testing/media.ts'

test('a file that does not come does not silence what was loaded since', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const output = createEmbeddedAudio({ sink: 'null', patience_ms: 20_000 })
  t.after(() => output.close())
  const pass = (ms: number) => {
    for (; ms > 0; ms -= 100) t.mock.timers.tick(100)
  }
  const source = { kind: 'file', path: mediaPath('sweep.wav') } as const
  // Nothing of the worker is heard before this turn of the event loop is over.
  const late = output.load(source)
  pass(15_000)
  const called = output.load(source)
  pass(5_000)
  await assert.rejects(late, /did not answer/)
  await called
  assert.equal(output.snapshot().state, 'playing')
})
