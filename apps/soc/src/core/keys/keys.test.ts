import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { openKeyFile } from './key-file.ts'
import { createSealing, isSealed, WrongKey } from './sealing.ts'

function keyPath(t: TestContext): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'soc-keys-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return path.join(directory, 'keys', 'service.key')
}

test('the key file is made once, for its owner alone, and nothing is left beside it', (t) => {
  const file = keyPath(t)
  const key = openKeyFile(file)
  assert.equal(key.length, 32)
  assert.deepEqual(openKeyFile(file), key)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(path.dirname(file)).mode & 0o777, 0o700)
  assert.deepEqual(readdirSync(path.dirname(file)), ['service.key'])
})

test('a key file that others can read, or that is none, stops the start', (t) => {
  const file = keyPath(t)
  openKeyFile(file)
  chmodSync(file, 0o644)
  assert.throws(() => openKeyFile(file), { name: 'StartError', message: /chmod 600/ })
  chmodSync(file, 0o600)
  writeFileSync(file, 'something else')
  assert.throws(() => openKeyFile(file), { name: 'StartError', message: /no key file/ })
})

test('what was sealed is opened with the same key for the same purpose, and not otherwise', (t) => {
  const sealing = createSealing(openKeyFile(keyPath(t)))
  const sealed = sealing.seal('hunter2 and more', 'secret/mail')
  assert.ok(isSealed(sealed) && !sealed.includes('hunter2'))
  assert.equal(sealing.open(sealed, 'secret/mail').toString(), 'hunter2 and more')
  assert.notEqual(sealing.seal('hunter2 and more', 'secret/mail'), sealed)
  const last = sealed.at(-3) === 'A' ? 'B' : 'A'
  const changed = `${sealed.slice(0, -3)}${last}${sealed.slice(-2)}`
  const other = createSealing(openKeyFile(keyPath(t)))
  for (const [what, open] of [
    ['another purpose', () => sealing.open(sealed, 'secret/other')],
    ['a changed byte', () => sealing.open(changed, 'secret/mail')],
    ['cut off', () => sealing.open(sealed.slice(0, 20), 'secret/mail')],
    ['never sealed', () => sealing.open('hunter2', 'secret/mail')],
    ['another key', () => other.open(sealed, 'secret/mail')],
  ] as const) {
    assert.throws(open, WrongKey, what)
  }
})
