import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRedaction } from './redact.ts'

const VALUE = 'p@ss "wörd"/+ 12'
const redact = createRedaction([{ name: 'key', value: VALUE }])
const base64 = (text: string) => Buffer.from(text).toString('base64')

for (const [what, echoed] of [
  ['as it is', `got ${VALUE}!`],
  ['as JSON', JSON.stringify({ got: VALUE })],
  ['as a part of a URL', `https://a.example/?k=${encodeURIComponent(VALUE)}&x`],
  ['in a form', new URLSearchParams({ k: VALUE }).toString().replace(/%22/g, '%22')],
  ['as a URL in small letters', encodeURIComponent(VALUE).toLowerCase()],
  ['in Base64', base64(VALUE)],
  ['in Base64 behind one letter', base64(`u${VALUE}`)],
  ['in Base64 behind two letters', base64(`u:${VALUE}`)],
  ['in Base64 with more behind it', base64(`${VALUE}:more`)],
  ['in Base64 of URLs', Buffer.from(`u:${VALUE}`).toString('base64url')],
] as const) {
  test(`a secret that is repeated ${what} is taken out`, () => {
    const { text } = redact({ text: echoed })
    assert.match(text, /\[secret key\]/)
    assert.ok(!text.includes('ss') || !text.includes('rd'), text)
  })
}

test('secrets are taken out of lists, names of fields and everything below', () => {
  assert.deepEqual(redact({ [VALUE]: [VALUE, { deep: `x${VALUE}` }], n: 1, no: null }), {
    '[secret key]': ['[secret key]', { deep: 'x[secret key]' }],
    n: 1,
    no: null,
  })
})

test('an answer that was cut off within a secret keeps nothing of it', () => {
  const long = 'x'.repeat(20_000)
  assert.equal(redact(`${long}${VALUE.slice(0, 10)}`), `${long}[secret key]`)
})

test('of two secrets the longer one is taken out first', () => {
  const both = createRedaction([
    { name: 'short', value: 'abcdefgh' },
    { name: 'long', value: 'abcdefgh-ijkl' },
  ])
  assert.equal(both('abcdefgh-ijkl abcdefgh'), '[secret long] [secret short]')
})
