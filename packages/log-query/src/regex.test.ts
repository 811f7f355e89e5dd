import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRegex } from './regex.ts'

// Each took from seconds to minutes when it was looked at again from every bracket on.
const HOSTILE: [what: string, source: string][] = [
  ['classes within classes, never closed', '[:'.repeat(2_000)],
  ['brackets, never closed', '['.repeat(4_000)],
  ['escapes in a class, never closed', `[${'\\a'.repeat(2_000)}`],
  ['a class of brackets', `[${'[:'.repeat(2_000)}]`],
]

for (const [what, source] of HOSTILE) {
  test(`looking at a regex is quick: ${what}`, () => {
    for (let round = 0; round < 200; round += 1) {
      assert.equal(typeof checkRegex({ kind: 'regex', source, flags: {} }), 'string')
    }
  })
}
