import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { MOST_SOUND_BYTES } from '@manara/player-contract/backup'
import { packSounds } from './own-sounds.ts'

test('a sound that has no room is named and the next one taken; links and what is not there are left', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sounds-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const name of ['first.mp3', 'large.wav', 'last.mp3']) {
    writeFileSync(path.join(folder, name), name)
  }
  truncateSync(path.join(folder, 'large.wav'), MOST_SOUND_BYTES)
  symlinkSync('/etc/hostname', path.join(folder, 'link.mp3'))
  const names = ['first.mp3', 'gone.mp3', 'link.mp3', 'large.wav', 'last.mp3']
  const { sounds, left_out } = await packSounds(folder, names)
  assert.deepEqual(
    sounds?.map(({ name }) => name),
    ['first.mp3', 'last.mp3'],
  )
  assert.deepEqual(left_out, ['large.wav'])
})
