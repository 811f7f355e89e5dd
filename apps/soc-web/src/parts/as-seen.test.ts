import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asSeen, realHost } from './as-seen.ts'

test('a sign that turns or hides is seen, and texts of every script stay as they are', () => {
  assert.equal(asSeen('invoice\u202efdp.exe'), 'invoice[U+202E]fdp.exe')
  assert.equal(asSeen('web-\u200b1'), 'web-[U+200B]1')
  assert.equal(asSeen('web\u200d-1\ufe0f\u3164'), 'web[U+200D]-1[U+FE0F][U+3164]')
  assert.equal(asSeen('\u{e0041}\x1b[2K\ufeff\xad'), '[U+E0041][U+001B][2K[U+FEFF][U+00AD]')
  for (const text of [
    ...['محاولة دخول\u200f', 'می\u200cخواهم', 'क्\u200dष', 'ログイン', 'plain', 'a\tb\r\nc'],
    ...['👩🏽\u200d💻', '❤\ufe0f\u200d🔥'],
  ]) {
    assert.equal(asSeen(text), text)
  }
})

test('a link whose host only looks like another one is told by its real name', () => {
  assert.equal(realHost('https://\u0430pple.com/login'), 'xn--pple-43d.com')
  for (const link of ['https://apple.com/login', 'https://XN--pple-43d.com', 'https://']) {
    assert.equal(realHost(link), undefined)
  }
})
