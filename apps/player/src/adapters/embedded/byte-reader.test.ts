import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { createPatience } from '../patience.ts'
import { hangReads } from '../testing/hung-reads.ts'
import { openBytes } from './byte-reader.ts'

/** One call at once, and for how long it is waited for is up to the test. */
function impatient(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const patience = createPatience(1, 1_000)
  return {
    patience,
    async giveUp() {
      await new Promise(setImmediate)
      t.mock.timers.tick(1_000)
    },
  }
}

test('a file that the kernel does not open is not waited for, and no other of its disk until it does', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'bytes-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [dead, whole] = ['dead.mp3', 'whole.mp3'].map((name) => path.join(folder, name)) as [
    string,
    string,
  ]
  for (const file of [dead, whole]) writeFileSync(file, 'recitation')
  const { patience, giveUp } = impatient(t)
  const looked = Promise.withResolvers<void>()
  const opening = openBytes(dead, () => {
    // After it was looked at: opening a pipe waits until somebody writes into it.
    rmSync(dead)
    execFileSync('mkfifo', [dead])
    looked.resolve()
    return patience
  })
  await looked.promise
  await giveUp()
  await assert.rejects(opening, /the card does not answer/)
  await assert.rejects(
    openBytes(whole, () => patience),
    /the card does not answer/,
  )

  const back = Promise.withResolvers<void>()
  patience.onChange(back.resolve)
  const writer = openSync(dead, constants.O_RDWR)
  await back.promise
  closeSync(writer)
  const bytes = await openBytes(whole, () => patience)
  assert.equal(Buffer.from(await bytes.read(2, 4)).toString(), 'cita')
  await bytes.close()
  await assert.rejects(openBytes(dead), /is not a file/)
})

test('a file of which nothing can be read any more is closed without waiting for it', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'bytes-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'dead.mp3')
  writeFileSync(file, 'recitation')
  const { patience, giveUp } = impatient(t)
  const bytes = await openBytes(file, () => patience)
  await hangReads(t)
  const reading = bytes.read(0, 4)
  await giveUp()
  await assert.rejects(reading, /the card does not answer/)
  await bytes.close()
})

test('a file that the kernel does not even tell about is not waited for', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const asked = Promise.withResolvers<void>()
  t.mock.method(promises, 'stat', () => {
    asked.resolve()
    return new Promise(() => {})
  })
  syncBuiltinESMExports()
  t.after(() => {
    // The clock too, or whoever imports it keeps the mocked one.
    t.mock.reset()
    syncBuiltinESMExports()
  })
  const opening = openBytes('/card/dead.mp3')
  await asked.promise
  t.mock.timers.tick(15_000)
  await assert.rejects(opening, /the card does not answer/)
})
