import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { writeDurably } from './write-durably.ts'

test('a file is replaced as a whole, with its mode, and no draft is left', (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'durably-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const file = path.join(root, 'secret')
  writeDurably(file, 'a long first content', 0o600)
  writeDurably(file, 'short', 0o600)
  assert.equal(readFileSync(file, 'utf8'), 'short')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(root), ['secret'])
})
