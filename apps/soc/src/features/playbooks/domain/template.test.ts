import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspectTemplates, render } from './template.ts'

const scope = {
  alert: { host: 'web-01', iocs: ['a', 'b'], count: 3, none: null, people: [{ name: 'leila' }] },
}

for (const [template, value] of [
  ['plain', 'plain'],
  ['{{ alert.host }}', 'web-01'],
  [' {{alert.count}} ', 3],
  ['{{ alert.iocs }}', ['a', 'b']],
  ['on {{ alert.host }}: {{ alert.count }}', 'on web-01: 3'],
  ['{{ alert.host }}{{ alert.host }}', 'web-01web-01'],
  ['seen {{ alert.iocs }}', 'seen a, b'],
  ['{{ alert.host }} with {{ alert.iocs }}', 'web-01 with a, b'],
  ['said by {{ alert.people }}', 'said by [{"name":"leila"}]'],
  ['{ "seen": {{ alert.iocs }} }', '{ "seen": ["a","b"] }'],
  ["{{ alert.none ?? 'nobody' }}", 'nobody'],
  ['{ {alert.host} }', '{ {alert.host} }'],
  [
    { a: ['{{ alert.host }}', 1], b: null },
    { a: ['web-01', 1], b: null },
  ],
] as const) {
  test(`${JSON.stringify(template)} becomes ${JSON.stringify(value)}`, () => {
    assert.deepEqual(render(template, scope), value)
  })
}

test('a template without a value names its field', () => {
  assert.throws(() => render({ body: { text: ['x', 'to {{ alert.none }}'] } }, scope), {
    message: 'params.body.text.1: {{ alert.none }} has no value',
  })
})

test('what is filled in is not filled in again', () => {
  const hostile = { alert: { host: '{{ alert.secret }}', secret: 's' } }
  assert.equal(render('{{ alert.host }}!', hostile), '{{ alert.secret }}!')
})

test('every template is found, with its place and its faults', () => {
  const found = [...inspectTemplates({ a: '{{ x.y }} {{ z }}', b: ['{{ ! }}'] })]
  assert.deepEqual(found, [
    { at: ['a'], paths: [['x', 'y']], secret: null },
    { at: ['a'], paths: [['z']], secret: null },
    { at: ['b', '0'], why: 'column 1: unexpected !' },
  ])
})

test('templates that are never closed are gone through once', () => {
  const text = `{{ 1 }}${'{{'.repeat(1_000_000)}`
  assert.equal(render(text, {}), `1${'{{'.repeat(1_000_000)}`)
})
