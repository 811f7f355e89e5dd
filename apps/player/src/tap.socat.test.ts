import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { startPn532Emulator } from './adapters/testing/pn532-emulator.ts'
import { startTappable } from './testing/tappable-player.ts'

test('PLAYER_NFC=pn532: a card on the serial reader plays, and stops when it is lifted', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tap-pn532-'))
  const chip = await startPn532Emulator(folder)
  t.after(async () => {
    await chip.unplug()
    rmSync(folder, { recursive: true, force: true })
  })
  const { call, heard } = await startTappable(t, `pn532:${chip.device}`)
  assert.deepEqual((await call('/system')).reader, {
    adapter: 'pn532',
    present: true,
    name: `PN532 1.6 on ${chip.device}`,
  })
  await call('/settings/card-removal', { policy: 'stop' })
  await call('/rfid/cards', {
    uid: 'DEADBEEF',
    name: 'First',
    binding: { type: 'path', path: 'Husary/001.wav' },
  })
  const started = heard('playback')
  chip.put('DEADBEEF')
  assert.equal((await started).state, 'playing')
  const stopped = heard('playback', ({ state }) => state === 'stopped')
  chip.lift()
  await stopped
  // Others tell of the box as well, at any time.
  const lost = heard('system', ({ reader }) => !reader.present)
  await chip.unplug()
  assert.deepEqual((await lost).reader, { adapter: 'none', present: false, name: '' })
})
