import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { receiveImage } from './receive-image.ts'

test('an image that would leave no room for the box itself is refused before it is written', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'room-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { bavail, bsize } = statfsSync(folder)
  const manifest = {
    ...{ version: '1.0.0', minimum_version: '0.0.0', platform: 'any', sha256: '0'.repeat(64) },
    ...{ size: 1, unpacked_size: bavail * bsize - 8 * 2 ** 20 },
  }
  async function* payload() {
    yield Buffer.from('x')
  }
  const file = path.join(folder, 'incoming.img')
  await assert.rejects(
    receiveImage({ manifest, payload }, file, () => {}),
    /needs \d+ MiB of free disk/,
  )
  assert.equal(existsSync(file), false)
})
