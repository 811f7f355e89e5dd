import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isQuick } from './draft-files.ts'

const asked = (content: string) => ({
  ...{ body: new Uint8Array(), enable: true, now: 0 },
  files: [{ name: 'a.yml', content }],
})

for (const [what, content, expected] of [
  ['an ordinary rule', 'title: t\ndetection: {sel: {a: [b, c]}, condition: sel}\n', true],
  ['a short one with thousands of brackets', `a: ${'['.repeat(5_000)}`, false],
  ['a long one', 'x'.repeat(20_000), false],
] as const) {
  const where = expected ? 'at once' : 'beside the event loop'
  test(`${what} is read ${where}`, () => assert.equal(isQuick(asked(content)), expected))
}
