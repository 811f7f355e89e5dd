import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { keepReader } from './nfc/keep-reader.ts'
import { openPcsc } from './pcsc-reader.ts'
import { systemClock } from './system-clock.ts'
import { startVirtualPcscd } from './testing/virtual-pcscd.ts'
import { watchedReader } from './testing/watched-reader.ts'

const A = '04A1B2C3D4E5F6'
const B = 'DEADBEEF'

async function setup(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), 'pcscd-'))
  const pcscd = await startVirtualPcscd(folder)
  const reader = keepReader(
    (see) => openPcsc({ socket: pcscd.socket(), clock: systemClock }, see),
    systemClock,
    20,
  )
  t.after(async () => {
    await reader.stop()
    await pcscd.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const { next, start, ...rest } = watchedReader(reader)

  /** What it says once it runs; until then it is looked for. */
  async function nextButLost(): Promise<string> {
    for (;;) {
      const heard = await next()
      if (!heard.startsWith('lost: pcscd')) return heard
    }
  }
  await start()
  assert.deepEqual([await nextButLost(), await next()], ['ready', 'empty'])
  return { pcscd, reader, next, nextButLost, ...rest }
}

test('a reader of pcscd is found and named, and its cards come and go', async (t) => {
  const { next, pcscd, reader } = await setup(t)
  const { name, ...status } = reader.status()
  assert.deepEqual(status, { adapter: 'pcsc', present: true })
  assert.match(name, /^Virtual PCD 00 00/)
  for (const uid of [A, B]) {
    void pcscd.put(uid)
    assert.equal(await next(), `card ${uid}`)
    pcscd.lift()
    assert.equal(await next(), 'empty')
  }
})

test('a card without a UID, as in a contact slot, is no NFC card', async (t) => {
  const { next, pcscd, rest } = await setup(t)
  await pcscd.put(undefined)
  void pcscd.put(A)
  assert.equal(await next(), `card ${A}`)
  assert.deepEqual(rest(), [])
})

test('a pcscd that ends is told, and found again with its card when it is back', async (t) => {
  const { next, nextButLost, pcscd, reader } = await setup(t)
  await pcscd.put(A)
  assert.equal(await next(), `card ${A}`)
  await pcscd.stop()
  assert.match(await next(), /^lost: pcscd/)
  assert.deepEqual(reader.status(), { adapter: 'none', present: false, name: '' })
  pcscd.start()
  assert.equal(await nextButLost(), 'ready')
  assert.equal(await next(), 'empty')
  void pcscd.put(B)
  assert.equal(await next(), `card ${B}`)
})

test('a pcscd that hangs neither blocks nor fools us', async (t) => {
  const { next, nextButLost, pcscd } = await setup(t)
  pcscd.signal('SIGSTOP')
  assert.equal(await next(), 'lost: pcscd does not answer')
  pcscd.signal('SIGCONT')
  assert.deepEqual([await nextButLost(), await next()], ['ready', 'empty'])
})
