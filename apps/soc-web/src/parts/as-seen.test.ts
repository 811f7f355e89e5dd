import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asSeen, realHost } from './as-seen.ts'

test('a sign that turns a name around is seen, and texts of every script stay as they are', () => {
  assert.equal(asSeen('invoice\u202efdp.exe'), 'invoice[U+202E]fdp.exe')
  for (const text of ['محاولة دخول\u200f', 'می\u200cخواهم', 'ログイン', 'plain']) {
    assert.equal(asSeen(text), text)
  }
})

test('a link whose host only looks like another one is told by its real name', () => {
  assert.equal(realHost('https://\u0430pple.com/login'), 'xn--pple-43d.com')
  for (const link of ['https://apple.com/login', 'https://XN--pple-43d.com', 'https://']) {
    assert.equal(realHost(link), undefined)
  }
})
