import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainText } from './plain-text.ts'

const NAMES: [why: string, given: string, shown: string][] = [
  ['a name stays', 'Mahmoud Khalil Al-Husary', 'Mahmoud Khalil Al-Husary'],
  ['Arabic keeps its vowel marks', 'سُورَةُ الْبَقَرَةِ', 'سُورَةُ الْبَقَرَةِ'],
  ['lines become one', ' one\r\ntwo\tthree\u2028four ', 'one two three four'],
  ['nothing turns the order', '\u202elive\u202c \u2067radio\u2069\u200f', 'live radio'],
  ['half a character goes', 'radio \ud83d', 'radio \ufffd'],
  ['joiners stay: Persian needs them', 'می\u200cخواهم', 'می\u200cخواهم'],
]

for (const [why, given, shown] of NAMES) {
  test(`on the screen ${why}`, () => assert.equal(plainText(given), shown))
}

test('a title of any length costs no more than a short one', () => {
  assert.equal(plainText('x'.repeat(100_000)).length, 200)
})
