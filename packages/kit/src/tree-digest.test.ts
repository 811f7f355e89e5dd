import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { treeDigest } from './tree-digest.ts'

test('one changed byte, name or link is another digest; the rest is the same', async (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'tree-'))
  t.after(() => rmSync(root, { recursive: true }))
  mkdirSync(path.join(root, 'a/b'), { recursive: true })
  writeFileSync(path.join(root, 'a/b/one'), '1')
  writeFileSync(path.join(root, 'two'), '2')
  symlinkSync('a/b', path.join(root, 'link'))
  const seen = new Set<string>()
  const digest = async () => {
    const value = await treeDigest(root)
    seen.add(value)
    return value
  }
  const first = await digest()
  assert.equal(await digest(), first)
  writeFileSync(path.join(root, 'a/b/one'), '!')
  await digest()
  writeFileSync(path.join(root, 'a/b/one'), '1')
  assert.equal(await digest(), first)
  writeFileSync(path.join(root, 'three'), '')
  await digest()
  rmSync(path.join(root, 'three'))
  rmSync(path.join(root, 'link'))
  symlinkSync('a', path.join(root, 'link'))
  await digest()
  assert.equal(seen.size, 4)
  assert.equal(await treeDigest(root, ['a']), await treeDigest(root, ['a']))
})
