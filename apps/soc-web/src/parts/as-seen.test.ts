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

test('a day of whom Arabic is the language is left as the browser writes it', () => {
  const at = new Date('2026-11-18T13:00:00Z')
  for (const locale of ['ar', 'ar-EG', 'ar-MA', 'ar-SA', 'fa', 'he', 'ur']) {
    for (const style of ['short', 'medium', 'long'] as const) {
      const said = at.toLocaleString(locale, { dateStyle: style, timeStyle: 'medium' })
      assert.equal(asSeen(said), said, locale)
    }
    assert.equal(asSeen(at.toLocaleDateString(locale)), at.toLocaleDateString(locale))
  }
  assert.equal(asSeen('10.0.0.1\u200f/24'), '10.0.0.1[U+200F]/24')
})

test('a link whose host only looks like another one is told by its real name', () => {
  assert.equal(realHost('https://\u0430pple.com/login'), 'xn--pple-43d.com')
  for (const link of ['https://apple.com/login', 'https://XN--pple-43d.com', 'https://']) {
    assert.equal(realHost(link), undefined)
  }
})
