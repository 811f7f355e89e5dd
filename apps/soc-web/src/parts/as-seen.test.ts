import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asSeen } from './as-seen.ts'

test('a sign that turns a name around is seen, and texts of every script stay as they are', () => {
  assert.equal(asSeen('invoice\u202efdp.exe'), 'invoice[U+202E]fdp.exe')
  for (const text of ['محاولة دخول\u200f', 'می\u200cخواهم', 'ログイン', 'plain']) {
    assert.equal(asSeen(text), text)
  }
})
