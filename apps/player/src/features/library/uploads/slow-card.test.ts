import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { createManualClock } from '../../../testing/manual-clock.ts'
import { createUploads } from './uploads.ts'

const ID = '0'.repeat(24)

test('while a card takes its time to write, everything else goes on', async (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'uploads-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const place = { root, whyNot: async () => undefined }
  const begun = Promise.withResolvers<void>()
  const uploads = createUploads({
    ...{ card: place, playable: ['mp3'], clock: createManualClock(), now: () => 1 },
    sounds: { ...place, root: path.join(root, 'sounds') },
    newId() {
      begun.resolve()
      return ID
    },
    probe: async () => {},
    limits: { file: 99, total: 999 },
    onChange: () => {},
    onPlaced: () => {},
  })
  // Where the record is written to: a pipe takes nothing until somebody reads it.
  const pipe = path.join(root, '.manara-upload', `${ID}.json.new`)
  mkdirSync(path.dirname(pipe))
  execFileSync('mkfifo', [pipe])
  const creating = uploads.create({ path: 'A/001.mp3', size: 9 })
  creating.catch(() => {})
  await begun.promise
  await new Promise(setImmediate)
  assert.deepEqual((await uploads.list()).uploads, [])
  const reader = openSync(pipe, constants.O_RDWR)
  // A pipe cannot be synced.
  await assert.rejects(creating, { code: 'EINVAL' })
  closeSync(reader)
})
