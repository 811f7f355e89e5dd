import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startTappable } from './testing/tappable-player.ts'

const UID = '04A1B2C3D4E5F6'
const TAP = fileURLToPath(new URL('./tap.ts', import.meta.url))

function tap(env: Record<string, string>, ...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [TAP, ...words], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

test('player:tap taps a card on the running player: it plays and everyone is told', async (t) => {
  const { call, env, heard } = await startTappable(t, 'sim')
  const { reader, boot_failures } = await call('/system')
  assert.equal(reader.adapter, 'sim')
  assert.ok(!boot_failures.some((failure: { component: string }) => failure.component === 'nfc'))
  await call('/rfid/cards', {
    uid: UID,
    name: 'First',
    binding: { type: 'path', path: 'Husary/001.wav' },
  })
  const played = heard('playback')
  const told = heard('nfc')
  assert.deepEqual(tap(env, '04:a1:b2:c3:d4:e5:f6', '0.1'), {
    status: 0,
    stdout: `card ${UID} lies on the reader for 0.1 s\n`,
    stderr: '',
  })
  assert.deepEqual(await told, { uid: UID, uid_len: 7, registered: true, name: 'First' })
  assert.equal((await played).state, 'playing')
  assert.equal((await call('/rfid/scan')).uid, UID)
})

test('player:tap says what is wrong and exits non-zero', async (t) => {
  const { env } = await startTappable(t, 'sim')
  const bad = tap(env, 'nonsense')
  assert.deepEqual([bad.status, bad.stderr], [1, 'error: uid: must be 8, 14 or 20 hex digits\n'])
  const off = await startTappable(t, 'off')
  const none = tap(off.env, UID)
  assert.equal(none.status, 1)
  assert.match(none.stderr, /start the player with PLAYER_NFC=sim$/m)
})

test('a reader that is not there is told in GET /system, and the box works without it', async (t) => {
  const { call } = await startTappable(t, 'pn532:/dev/no-such-tty')
  const { boot_failures, reader } = await call('/system')
  assert.deepEqual(reader, { adapter: 'none', present: false, name: '' })
  const nfc = boot_failures.filter((failure: { component: string }) => failure.component === 'nfc')
  assert.deepEqual(nfc, [
    {
      component: 'nfc',
      error: '/dev/no-such-tty is not there; cards cannot be tapped until a reader answers',
    },
  ])
})
