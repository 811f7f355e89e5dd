import assert from 'node:assert/strict'
import { test } from 'node:test'
import { weaknessOf } from './weak-password.ts'

test('what everybody tries first is refused, with the reason', () => {
  const cases: [string, RegExp][] = [
    ['password', /most used of breached/],
    ['PassW0rd', /most used of breached/],
    ['letmein123', /most used of breached/],
    ['ｐａｓｓｗｏｒｄ', /most used of breached/],
    ['ababababab', /repeats a few characters/],
    ['hijklmnopq', /keyboard or the alphabet/],
    ['lkjhgfdsa', /keyboard or the alphabet/],
    ['Leila.Haddad2026!', /a name that others know/],
    ['manara2026', /a name that others know/],
  ]
  for (const [password, reason] of cases) {
    assert.match(weaknessOf(password, ['leila.haddad']) ?? 'accepted', reason, password)
  }
})

test('what nobody would guess is taken', () => {
  for (const password of [
    'a long password',
    'correct horse battery',
    'xk7-Tq2_9vLm',
    'كلمة سر طويلة',
  ]) {
    assert.equal(weaknessOf(password, ['leila']), undefined, password)
  }
})
