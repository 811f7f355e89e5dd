import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { createManualClock } from '../../../testing/manual-clock.ts'
import { createUploads } from './uploads.ts'

const ID = '0'.repeat(24)

function setup(t: TestContext, whyNot: () => string | undefined) {
  const root = mkdtempSync(path.join(tmpdir(), 'uploads-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const begun = Promise.withResolvers<void>()
  const uploads = createUploads({
    ...{ playable: ['mp3'], clock: createManualClock(), now: () => 1 },
    card: { root, whyNot: async () => whyNot() },
    sounds: { root: path.join(root, 'sounds'), whyNot: async () => undefined },
    newId() {
      begun.resolve()
      return ID
    },
    probe: async () => {},
    limits: { file: 99, total: 999 },
    onChange: () => {},
    onPlaced: () => {},
  })
  return { root, begun, uploads }
}

test('a card that does not answer is not looked into, and what is sent to it can wait', async (t) => {
  let silence: string | undefined
  const { uploads } = setup(t, () => silence)
  const { id } = await uploads.create({ path: 'A/001.mp3', size: 9 })
  silence = 'does not answer'
  const { reason, total_bytes, uploads: listed } = await uploads.list()
  assert.deepEqual([reason, total_bytes, listed], ['the card does not answer', 0, []])
  const waits = { status: 409, message: 'upload: the card does not answer' }
  await assert.rejects(uploads.show(id), waits)
  silence = undefined
  assert.equal((await uploads.show(id)).offset, 0)
})

test('while a card takes its time to write, everything else goes on', async (t) => {
  const { root, begun, uploads } = setup(t, () => undefined)
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
