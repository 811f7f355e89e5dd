import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { createPatience } from '../patience.ts'
import { hangReads } from '../testing/hung-reads.ts'
import { openBytes } from './byte-reader.ts'

test('a file that the kernel does not open is not waited for, and no other of its disk until it does', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'bytes-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [dead, whole] = ['dead.mp3', 'whole.mp3'].map((name) => path.join(folder, name)) as [
    string,
    string,
  ]
  for (const file of [dead, whole]) writeFileSync(file, 'recitation')
  const patience = createPatience(1, 50)
  const opening = openBytes(dead, () => {
    // After it was looked at: opening a pipe waits until somebody writes into it.
    rmSync(dead)
    execFileSync('mkfifo', [dead])
    return patience
  })
  await assert.rejects(opening, /the card does not answer/)
  await assert.rejects(
    openBytes(whole, () => patience),
    /the card does not answer/,
  )

  const back = Promise.withResolvers<void>()
  patience.onChange(back.resolve)
  closeSync(openSync(dead, constants.O_RDWR))
  await back.promise
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
  const bytes = await openBytes(file, () => createPatience(1, 50))
  await hangReads(t)
  await assert.rejects(bytes.read(0, 4), /the card does not answer/)
  await bytes.close()
})
