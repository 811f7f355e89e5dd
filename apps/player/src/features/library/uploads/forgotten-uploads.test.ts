import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { createManualClock } from '../../../testing/manual-clock.ts'
import { createUploads } from './uploads.ts'

const DAY = 86_400_000

test('an upload is forgotten after a week that has passed, not after one that the clock has skipped', async (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'uploads-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const place = { root, whyNot: async () => undefined }
  const clock = createManualClock()
  let time: number | undefined
  let count = 0
  const service = () =>
    createUploads({
      ...{ card: place, playable: ['mp3'], clock },
      sounds: { ...place, root: path.join(root, 'sounds') },
      now: () => time,
      newId: () => String(count++).padStart(24, '0'),
      probe: async () => {},
      limits: { file: 99, total: 999 },
      onChange: () => {},
      onPlaced: () => {},
    })
  let uploads = service()
  const begin = () => uploads.create({ path: `A/00${count}.mp3`, size: 9 })

  const { id } = await begin()
  time = Date.parse('2026-05-01T00:00:00Z')
  const wrong = await begin()
  assert.equal((await uploads.show(id)).offset, 0, 'begun before the clock was set')
  time = Date.parse('2031-05-01T00:00:00Z')
  clock.advance(DAY)
  await begin()
  assert.equal((await uploads.show(wrong.id)).offset, 0, 'the clock was set to another year')
  time += 3 * DAY
  uploads = service()
  await begin()
  assert.equal((await uploads.show(id)).offset, 0, 'and the next start knows')
  time += 8 * DAY
  clock.advance(8 * DAY)
  await begin()
  await assert.rejects(uploads.show(id), /not found/)
})
