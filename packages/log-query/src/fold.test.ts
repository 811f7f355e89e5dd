import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { compareText, fold } from './fold.ts'

/** Taken when DuckDB's `lower()` was found equal for each of them; a newer Node must not change it. */
const EVERY_FOLDED_CODE_POINT = 'f7eb6001bc0cbc4cf4e9c6b79e90606539d05839ab27623b99b6ef72c76db917'

test('fold gives every code point the letter it was fixed to', () => {
  const hash = createHash('sha256')
  for (let code = 1; code <= 0x10ffff; code++) {
    if (code === 0xd800) code = 0xe000
    hash.update(fold(String.fromCodePoint(code)))
  }
  assert.equal(hash.digest('hex'), EVERY_FOLDED_CODE_POINT)
})

const FOLDED: [text: string, folded: string][] = [
  ['Failed PASSWORD', 'failed password'],
  ['ÉCOLE', 'école'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['İstanbul', 'istanbul'],
  ['STRAẞE', 'straße'],
  ['\u212aelvin', 'kelvin'],
  ['\u1c89', '\u1c89'],
  ['𐐀', '𐐨'],
]

for (const [text, folded] of FOLDED) {
  test(`${text} folds to ${folded}`, () => assert.equal(fold(text), folded))
}

test('texts compare as their UTF-8 does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      assert.equal(Math.sign(compareText(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }),
  )
})

test('nothing becomes a digit or a sign when it is folded, and these stay as they are', () => {
  for (let code = 0; code < 0x110000; code++) {
    const char = String.fromCodePoint(code)
    assert.equal(/^[ -@[-`{-~]+$/.test(fold(char)), /^[ -@[-`{-~]$/.test(char), char)
  }
})
