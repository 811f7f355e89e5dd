import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type Frontier, grow, inclusionPath, rootFromPath, rootOf, sizeOf } from './merkle.ts'

const leaf = (text: string) => createHash('sha256').update(text).digest('hex')

test('the empty tree has the root of RFC 6962', () => {
  assert.equal(rootOf([]), createHash('sha256').digest('hex'))
})

test('every entry of every tree is proved by its path, and by no other', () => {
  const leaves: string[] = []
  let frontier: Frontier = []
  for (let size = 1; size <= 40; size += 1) {
    leaves.push(leaf(String(size)))
    frontier = grow(frontier, leaves.at(-1) as string)
    assert.equal(sizeOf(frontier), size)
    const root = rootOf(frontier)
    for (const [index, entry] of leaves.entries()) {
      const path = inclusionPath(leaves, index)
      assert.equal(rootFromPath(entry, index, size, path), root, `${index} of ${size}`)
      assert.notEqual(rootFromPath(leaf('forged'), index, size, path), root)
      if (size > 1) {
        assert.notEqual(rootFromPath(entry, (index + 1) % size, size, path), root)
        assert.notEqual(rootFromPath(entry, index, size, path.slice(1)), root)
      }
    }
  }
})
