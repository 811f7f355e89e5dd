import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { appendDurably, writeDurably, writeFileDurably } from './write-durably.ts'

for (const write of [writeDurably, writeFileDurably]) {
  test(`${write.name}: a file is replaced as a whole, with its mode, and no draft is left`, async (t) => {
    const root = mkdtempSync(path.join(tmpdir(), 'durably-'))
    t.after(() => rmSync(root, { recursive: true, force: true }))
    const file = path.join(root, 'secret')
    await write(file, 'a long first content', 0o600)
    await write(file, 'short', 0o600)
    assert.equal(readFileSync(file, 'utf8'), 'short')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(root), ['secret'])
  })
}

test('a disk that takes only a part of the content leaves the file as it was', (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'durably-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const file = path.join(root, 'slot')
  writeDurably(file, 'as it was', 0o600)
  const writer = new URL('./write-durably.ts', import.meta.url)
  const program = `import { writeDurably } from '${writer}'
    writeDurably('${file}', 'x'.repeat(9_000), 0o600)`
  // No file may grow beyond one block: the first write is cut there, as where the disk is full.
  const words = ['-c', 'ulimit -f 1; exec "$0" "$@"', process.execPath, '-e', program]
  const { status, stderr } = spawnSync('sh', words, { encoding: 'utf8' })
  assert.match(stderr, /EFBIG/)
  assert.notEqual(status, 0)
  assert.equal(readFileSync(file, 'utf8'), 'as it was')
})

test('what is appended comes behind what is there', async (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'durably-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const file = path.join(root, 'lines')
  await appendDurably(file, 'first\n', 0o600)
  await appendDurably(file, 'second\n', 0o600)
  assert.equal(readFileSync(file, 'utf8'), 'first\nsecond\n')
  assert.equal(statSync(file).mode & 0o777, 0o600)
})
