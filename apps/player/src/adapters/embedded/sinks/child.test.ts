import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { createChildSink } from './child.ts'

test('a device that takes no sound is taken for lost', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sink-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const command = path.join(folder, 'aplay')
  writeFileSync(command, '#!/bin/sh\nexec sleep 1000\n', { mode: 0o755 })
  const failed = Promise.withResolvers<Error>()
  const rate = 48_000
  const sink = createChildSink('aplay', {
    ...{ rate, command },
    events: { underrun() {}, failed: failed.resolve },
  })
  t.after(() => sink.close())
  sink.write(new Int16Array(rate * 2))
  assert.ok(sink.wanted(true) >= 0)
  sink.write(new Int16Array(rate * 6 * 2))
  sink.wanted(true)
  assert.equal((await failed.promise).message, 'aplay ended: it takes no sound')
})
