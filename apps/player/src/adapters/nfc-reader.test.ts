import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { createManualClock } from '../testing/manual-clock.ts'
import { createNfcReader } from './nfc-reader.ts'
import { watchedReader } from './testing/watched-reader.ts'

function setup(t: TestContext, choice: string) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'nfc-'))
  const places = { pn532: path.join(dataDir, 'pn532'), pcscd: path.join(dataDir, 'pcscd.comm') }
  const clock = createManualClock()
  const reader = createNfcReader({ choice, dataDir, searchPath: '/usr/bin:/bin', clock, places })
  t.after(async () => {
    await reader.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return { clock, dataDir, places, reader, ...watchedReader(reader) }
}

const NONE = { adapter: 'none', present: false, name: '' }

test('off: there is no reader, and nothing is said about it', async (t) => {
  const { reader, rest, start } = setup(t, 'off')
  await start()
  assert.deepEqual(rest(), [])
  assert.deepEqual(reader.status(), NONE)
})

test('sim: the simulated reader is there and empty', async (t) => {
  const { reader, rest, start } = setup(t, 'sim')
  await start()
  assert.deepEqual(rest(), ['ready', 'empty'])
  assert.equal(reader.status().adapter, 'sim')
})

test('auto without anything says what it looked for, and goes on looking', async (t) => {
  const { clock, next, places, reader, start } = setup(t, 'auto')
  await start()
  assert.equal(await next(), `lost: there is neither pcscd nor ${places.pn532}`)
  assert.deepEqual(reader.status(), NONE)
  writeFileSync(places.pcscd, '')
  clock.advance(2_000)
  assert.equal(await next(), `lost: pcscd does not run (${places.pcscd})`)
  writeFileSync(places.pn532, '')
  clock.advance(2_000)
  assert.equal(await next(), `lost: ${places.pn532} is not a serial device`)
})

test('pcsc and pn532 that are not there say so', async (t) => {
  const pcsc = setup(t, 'pcsc')
  await pcsc.start()
  assert.equal(await pcsc.next(), `lost: pcscd does not run (${pcsc.places.pcscd})`)
  const pn532 = setup(t, 'pn532:/dev/no-such-tty')
  await pn532.start()
  assert.equal(await pn532.next(), 'lost: /dev/no-such-tty is not there')
})
