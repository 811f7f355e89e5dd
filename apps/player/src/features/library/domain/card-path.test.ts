import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkCardPath } from './card-path.ts'

const check = (path: string) => checkCardPath(path, ['mp3', 'flac'])

const GOOD = [
  '001.mp3',
  'husary/001.mp3',
  'Hafs/Husary/001 - Al-Fatihah.FLAC',
  'الحصري/٠٠١.mp3',
  'a..b/001..mp3',
  '100% Quran/001.mp3',
]

for (const path of GOOD) {
  test(`"${path}" may be looked for on the card`, () => assert.doesNotThrow(() => check(path)))
}

const BAD = [
  ['', /must name a file/],
  ['..', /\.\./],
  ['../etc/passwd.mp3', /\.\./],
  ['husary/../../001.mp3', /\.\./],
  ['/husary/001.mp3', /relative to the card/],
  ['//husary/001.mp3', /relative to the card/],
  ['C:/001.mp3', /relative to the card/],
  ['husary\\..\\001.mp3', /forward slashes/],
  ['%2e%2e%2f001.mp3', /URL-encoded/],
  ['..%2F001.mp3', /URL-encoded/],
  ['%252E%252e/001.mp3', /URL-encoded/],
  ['a%5c001.mp3', /URL-encoded/],
  ['001.mp3%00.flac', /URL-encoded/],
  ['001.mp3\0.flac', /control characters/],
  ['a\n001.mp3', /control characters/],
  ['./001.mp3', /empty segments/],
  ['husary//001.mp3', /empty segments/],
  ['husary/', /empty segments/],
  ['husary', /must end in one of mp3, flac/],
  ['husary/001.txt', /must end in/],
  ['husary/.mp3', /must end in/],
] as const

for (const [path, message] of BAD) {
  test(`${JSON.stringify(path)} is refused and the field is named`, () => {
    assert.throws(() => check(path), { status: 400, message })
    assert.throws(() => check(path), { message: /^path: / })
  })
}
