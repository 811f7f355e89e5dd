import assert from 'node:assert/strict'
import {
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { keepReader } from './nfc/keep-reader.ts'
import { openPn532 } from './pn532-reader.ts'
import { createRunCommand } from './run-command.ts'
import { systemClock } from './system-clock.ts'
import { startPn532Emulator } from './testing/pn532-emulator.ts'
import { watchedReader } from './testing/watched-reader.ts'

const run = createRunCommand('/usr/bin:/bin')
const A = '04A1B2C3D4E5F6'
const B = 'DEADBEEF'

function folderOf(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), 'pn532-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function setup(t: TestContext) {
  const chip = await startPn532Emulator(folderOf(t))
  const reader = keepReader(
    (see) => openPn532({ path: chip.device, clock: systemClock, run }, see),
    systemClock,
    10,
  )
  t.after(async () => {
    await reader.stop()
    await chip.unplug()
  })
  return { chip, reader, ...watchedReader(reader) }
}

test('a PN532 is woken, named, and its cards come and go', async (t) => {
  const { chip, next, reader, start } = await setup(t)
  await start()
  assert.equal(await next(), 'ready')
  assert.deepEqual(reader.status(), {
    adapter: 'pn532',
    present: true,
    name: `PN532 1.6 on ${chip.device}`,
  })
  assert.equal(await next(), 'empty')
  for (const uid of [A, B, '0102030405060708090A']) {
    chip.put(uid)
    assert.equal(await next(), `card ${uid}`)
    chip.lift()
    assert.equal(await next(), 'empty')
  }
})

test('a card replaced by another between two looks is told', async (t) => {
  const { chip, next, start } = await setup(t)
  chip.put(A)
  await start()
  assert.deepEqual([await next(), await next()], ['ready', `card ${A}`])
  chip.put(B)
  assert.equal(await next(), `card ${B}`)
})

test('noise on the line before each answer is skipped', async (t) => {
  const { chip, next, start } = await setup(t)
  chip.disturb(Buffer.from([0x00, 0xff, 0x13, 0x55, 0x00, 0x00, 0xff, 0x20]))
  await start()
  assert.deepEqual([await next(), await next()], ['ready', 'empty'])
  chip.put(A)
  assert.equal(await next(), `card ${A}`)
})

test('a PN532 that is unplugged is told, and found again when it is back', async (t) => {
  const { chip, next, reader, start } = await setup(t)
  await start()
  assert.deepEqual([await next(), await next()], ['ready', 'empty'])
  await chip.unplug()
  assert.equal(await next(), `lost: the PN532 on ${chip.device} was unplugged`)
  assert.equal(reader.status().present, false)
  chip.put(A)
  await chip.plugIn()
  let heard = await next()
  // While the cable is out.
  if (heard.startsWith('lost')) heard = await next()
  assert.deepEqual([heard, await next()], ['ready', `card ${A}`])
})

test('a PN532 that hangs is told, and read again when it has recovered', async (t) => {
  const { chip, next, start } = await setup(t)
  await start()
  assert.deepEqual([await next(), await next()], ['ready', 'empty'])
  chip.mute()
  assert.equal(await next(), `lost: the PN532 does not answer on ${chip.device} any more`)
  assert.equal(await next(), `lost: ${chip.device}: the PN532 does not answer`)
  chip.mute(false)
  assert.deepEqual([await next(), await next()], ['ready', 'empty'])
})

test('opening and closing leaves no file open', async (t) => {
  const chip = await startPn532Emulator(folderOf(t))
  t.after(chip.unplug)
  const once = async () =>
    (await openPn532({ path: chip.device, clock: systemClock, run }, () => {})).close()
  for (let round = 0; round < 10; round += 1) await once()
  assert.deepEqual(
    openFiles().filter((file) => file === realpathSync(chip.device)),
    [],
  )
})

function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      // The one that read the folder.
      return []
    }
  })
}

test('what is no serial device is refused with the reason', async (t) => {
  const folder = folderOf(t)
  const file = path.join(folder, 'file')
  writeFileSync(file, '')
  const open = (device: string) => openPn532({ path: device, clock: systemClock, run }, () => {})
  await assert.rejects(open(path.join(folder, 'none')), /none is not there$/)
  await assert.rejects(open(file), /file is not a serial device$/)
  await assert.rejects(open('/dev/null'), /^Error: \/dev\/null cannot be set up: .*ioctl/)
})
