import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draft, isQuick } from './draft-files.ts'

const asked = (content: string) => ({
  ...{ body: new Uint8Array(), enable: true, now: 0 },
  files: [{ name: 'a.yml', content }],
})

for (const [what, content, expected] of [
  ['an ordinary rule', 'title: t\ndetection: {sel: {a: [b, c]}, condition: sel}\n', true],
  ['a short one with thousands of brackets', `a: ${'['.repeat(5_000)}`, false],
  ['a filter, which may be read for many rules', 'filter: {rules: any, s: {a: b}}', false],
  ['a long one', 'x'.repeat(20_000), false],
] as const) {
  const where = expected ? 'at once' : 'beside the event loop'
  test(`${what} is read ${where}`, () => assert.equal(isQuick(asked(content)), expected))
}

test('JSON is taken apart where its rules are read: a long one beside the event loop', () => {
  const json = (content: string) => ({
    ...{ enable: true, now: 0, isJson: true },
    body: Buffer.from(JSON.stringify({ files: [{ name: 'a.yml', content }], plan: { a: 1 } })),
  })
  assert.equal(isQuick(json('title: t')), true)
  assert.equal(isQuick(json('x'.repeat(20_000))), false)
  const { skipped, plan } = draft(json('x'.repeat(20_000)))
  assert.deepEqual([skipped[0]?.file, plan], ['a.yml', { a: 1 }])
  assert.throws(() => draft({ ...json(''), body: Buffer.from('{') }), { status: 400 })
})
