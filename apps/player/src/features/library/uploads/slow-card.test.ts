import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Upload } from '@manara/player-contract/uploads'
import { createManualClock } from '../../../testing/manual-clock.ts'
import { type Draft, partOf, saveDraft } from './draft.ts'
import { createUploads } from './uploads.ts'

const ID = '0'.repeat(24)

type Sight = { probe?(file: string): Promise<void>; onChange?(upload: Upload): void }

function setup(t: TestContext, whyNot: () => string | undefined, sight: Sight = {}) {
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
    ...sight,
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

test('what a power cut has left whole is finished once, also when a card is put in meanwhile', async (t) => {
  const told: string[] = []
  const oneIsDone = Promise.withResolvers<void>()
  let probes = 0
  const { root, uploads } = setup(t, () => undefined, {
    probe: async () => (probes++ === 0 ? oneIsDone.promise : undefined),
    onChange({ id, state }) {
      told.push(`${state} ${Number(id)}`)
      if (state === 'done') oneIsDone.resolve()
    },
  })
  const folder = path.join(root, '.manara-upload')
  mkdirSync(folder)
  for (const n of [1, 2]) {
    const whole = { path: `A/00${n}.mp3`, size: 3, offset: 3, overwrite: false, touched_at: 0 }
    const draft: Draft = { ...whole, id: String(n).padStart(24, '0'), folder }
    await saveDraft(draft)
    writeFileSync(partOf(draft), 'abc')
  }
  await Promise.all([uploads.finishWhole(), uploads.finishWhole()])
  assert.deepEqual(told.sort(), ['checking 1', 'checking 2', 'done 1', 'done 2'])
})
