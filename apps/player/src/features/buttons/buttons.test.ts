import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { createEvdevButtons } from '../../adapters/evdev-buttons.ts'
import { createManualClock } from '../../testing/manual-clock.ts'
import { playerFixture } from '../../testing/player-fixture.ts'
import { readButtonMap } from './domain/button-map.ts'

const [EV_SYN, EV_KEY, EV_REL] = [0, 1, 2]
const [PLAY, NEXT] = [164, 163]

/** As a 64-bit kernel writes them. */
function recorded(...events: [type: number, code: number, value: number][]): Buffer {
  const bytes = Buffer.alloc(events.length * 24)
  for (const [index, [type, code, value]] of events.entries()) {
    bytes.writeBigInt64LE(1_700_000_000n, index * 24)
    bytes.writeUInt16LE(type, index * 24 + 16)
    bytes.writeUInt16LE(code, index * 24 + 18)
    bytes.writeInt32LE(value, index * 24 + 20)
  }
  return bytes
}

const press = (code: number) =>
  recorded([EV_KEY, code, 1], [EV_SYN, 0, 0], [EV_KEY, code, 0], [EV_SYN, 0, 0])

async function boxWithButtons(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), 'buttons-'))
  const device = path.join(folder, 'event0')
  execFileSync('mkfifo', [device])
  const clock = createManualClock()
  const map = readButtonMap(device)
  const buttons = createEvdevButtons({ devices: map.keys(), clock })
  const box = await playerFixture(t, { clock, buttons: { map, buttons } })
  const keys = await open(device, 'w')
  t.after(async () => {
    await keys.close().catch(() => {})
    rmSync(folder, { recursive: true })
  })
  return { ...box, device, keys, status: async () => (await box.get('/playback/status')).json() }
}

test('buttons play, pause and go on, and a knob turns the volume', async (t) => {
  const box = await boxWithButtons(t)
  await box.post('/playback/play', { path: 'Husary/001.mp3' })
  let told = box.next('playback')
  await box.keys.write(press(PLAY))
  await told
  assert.equal((await box.status()).state, 'paused')
  told = box.next('playback')
  // A report may be torn anywhere.
  await box.keys.write(press(NEXT).subarray(0, 17))
  await box.keys.write(press(NEXT).subarray(17))
  await told
  assert.equal((await box.status()).surah_number, 2)
  told = box.next('volume')
  await box.keys.write(recorded([EV_REL, 7, 3], [EV_SYN, 0, 0]))
  assert.deepEqual(await told, { volume: 65 })
})

test('a knob that is turned during the adhan leaves what follows no louder than before', async (t) => {
  const box = await boxWithButtons(t)
  await box.post('/prayer/config', { adhan: { volume: 80 } })
  await box.post('/prayer/test-adhan')
  const told = box.next('volume')
  await box.keys.write(recorded([EV_REL, 7, -1], [EV_SYN, 0, 0]))
  assert.deepEqual(await told, { volume: 75 })
  await box.post('/prayer/stop-adhan')
  assert.equal((await box.status()).volume, 50)
})

test('a device that is pulled out is told, and is there again when it is back', async (t) => {
  const box = await boxWithButtons(t)
  const failures = async () => JSON.stringify((await box.get('/system')).json().boot_failures)
  await box.keys.close()
  while (!(await failures()).includes('was unplugged')) await new Promise(setImmediate)
  box.clock.advance(5_000)
  const again = await open(box.device, 'w')
  const told = box.next('volume')
  await again.write(press(115))
  assert.deepEqual(await told, { volume: 55 })
  assert.ok(!(await failures()).includes('buttons'))
  await again.close()
})

test('a device that is not there is told with its name, and the box starts', async (t) => {
  const clock = createManualClock()
  const map = readButtonMap('/dev/input/no-such-event')
  const buttons = createEvdevButtons({ devices: map.keys(), clock })
  const box = await playerFixture(t, { clock, buttons: { map, buttons } })
  const failures = async () => JSON.stringify((await box.get('/system')).json().boot_failures)
  while (!(await failures()).includes('no-such-event')) await new Promise(setImmediate)
  assert.match(await failures(), /No such file or directory/)
})

test('recorded bytes of a file are read to their end', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'buttons-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const device = path.join(folder, 'recording')
  writeFileSync(device, Buffer.concat([press(PLAY), press(NEXT)]))
  const heard: number[] = []
  const buttons = createEvdevButtons({ devices: [device], clock: createManualClock() })
  await new Promise<void>((resolve) =>
    buttons.start(
      (_device, { type, code, value }) => type === EV_KEY && value === 1 && heard.push(code),
      () => resolve(),
    ),
  )
  buttons.stop()
  assert.deepEqual(heard, [PLAY, NEXT])
})
