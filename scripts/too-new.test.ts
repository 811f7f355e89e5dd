import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { WEB_APPS } from './web/apps.ts'
import { tooNew } from './web/too-new.ts'

const OLD = { safari: 15.4, firefox: 115, chrome: 105 }

test('what the oldest promised browsers do not have is named, with its file', () => {
  const found = (name: string, text: string) => tooNew(name, text, OLD)
  assert.deepEqual(found('a.js', 'e.toSorted(n)'), ['a.js: Array toSorted and others'])
  assert.deepEqual(found('a.js', 'let{promise:e}=Promise.withResolvers()'), [
    'a.js: Promise.withResolvers',
  ])
  assert.deepEqual(found('a.js', String.raw`/(?<!\\)"/.test(e)`), ['a.js: lookbehind'])
  assert.deepEqual(found('a.js', 'e.values().map(t)'), ['a.js: iterator helpers'])
  assert.deepEqual(found('a.css', '.a:has(b){top:0}'), ['a.css: :has()'])
  assert.deepEqual(found('a.css', '@container page (max-width: 9px){}'), [
    'a.css: container queries',
  ])
})

test('what they have is not, nor a word that only looks like it', () => {
  const known =
    '[...e.values()].map(t),e.findLast(t),e.at(-1),e.has(t),/(?<year>\\d)/,"isWellFormed"'
  assert.deepEqual(tooNew('a.js', known, OLD), [])
  assert.deepEqual(tooNew('a.css', '.a:is(b,c):focus-visible{border-radius:round}', OLD), [])
  const later = { safari: 17.4, firefox: 121, chrome: 120 }
  assert.deepEqual(tooNew('a.css', '.a:has(b){top:0}', later), [])
  assert.deepEqual(tooNew('a.svg', ':has(', OLD), [])
})

test('the docs promise the browsers that the pages are built for', () => {
  const pages: Record<string, string> = { 'player-web': 'dashboard', 'soc-web': 'console' }
  for (const { name, browsers } of WEB_APPS) {
    const { safari, chrome, firefox } = browsers
    const told = `Safari ${safari}, Chrome ${chrome} and Firefox ${firefox} or newer`
    assert.ok(readFileSync(`docs/${pages[name]}.md`, 'utf8').includes(told), `${name}: ${told}`)
  }
})
