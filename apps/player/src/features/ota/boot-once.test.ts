import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'

const from = (file: string) => JSON.stringify(new URL(file, import.meta.url))

/** Run on a file system of its own, which it fills as a version would that writes without end. */
const FILLED = `
  const { bootOnce, giveWay } = await import(${from('boot-once.ts')})
  const { openSlots } = await import(${from('slots.ts')})
  const { installSample } = await import(${from('testing/install-sample.ts')})
  const { updateKey } = await import(${from('testing/sample-image.ts')})
  const { openStore } = await import(${from('../../db/open-store.ts')})
  const fs = await import('node:fs')
  const [, folder] = process.argv
  const file = folder + '/player.db'
  const token = (change) => {
    const db = openStore(folder)
    if (change) db.exec(change)
    const { value } = db.prepare('SELECT value FROM device').get()
    db.close()
    return value
  }
  token("INSERT INTO device VALUES ('token', 'as it was')")
  fs.mkdirSync(folder + '/updates')
  const slots = openSlots(folder + '/updates', '')
  await installSample(slots, updateKey(), { version: '9.0.0', files: { big: 'x'.repeat(50000) } })
  const first = bootOnce(slots, file)
  token("UPDATE device SET value = 'of the trial'")
  const filler = fs.openSync(folder + '/filler', 'a')
  for (const size of [2 ** 16, 512]) try { for (;;) fs.writeSync(filler, Buffer.alloc(size)) } catch {}
  let why
  try { bootOnce(slots, file) } catch (error) { why = error }
  const second = giveWay(slots, file, why)
  fs.rmSync(folder + '/filler')
  console.log(JSON.stringify({ first, second, why: why.code, token: token(), record: slots.readRecord() }))`

test('a version on trial that has filled the disk gives way: its files make room for what it changed to be undone', (t) => {
  if (spawnSync('unshare', ['-rm', 'true']).status !== 0) {
    return t.skip('no file system of our own may be mounted here')
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'boot-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  // More than an update wants free.
  const mount = 'mount -t tmpfs -o size=80m data "$1" && exec "$0" -e "$2" "$1"'
  const words = ['-rm', 'sh', '-c', mount, process.execPath, folder, FILLED]
  const { stdout, stderr } = spawnSync('unshare', words, { encoding: 'utf8' })
  assert.ok(stdout, stderr)
  const { first, second, why, token, record } = JSON.parse(stdout)
  assert.deepEqual([first, second, why], ['a', 'factory', 'ENOSPC'])
  assert.equal(token, 'as it was')
  assert.deepEqual([record.pending, record.last.status], [null, 'rolled_back'])
  assert.match(record.last.error, /^9\.0\.0 was rolled back: ENOSPC/)
})
