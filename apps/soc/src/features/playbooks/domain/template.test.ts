import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from '@manara/log-query/parse'
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

const hostile = {
  alert: {
    user: 'x", "admin": "yes',
    path: '../groups/1?all=1#',
    up: '..',
    lines: ['a"b', 'c\nd'],
    account: 'CORP\\bob',
    count: 3,
  },
  secrets: { hook: 'T0/B0/x"y' },
}

for (const [name, template, value] of [
  ['within the quotes of JSON', '{"user": "{{ alert.user }}"}', { user: hostile.alert.user }],
  ['as a value of JSON', '[{{ alert.user }}, {{ alert.count }}]', [hostile.alert.user, 3]],
  ['a list within quotes', '{"l": "seen: {{ alert.lines }}"}', { l: 'seen: a"b, c\nd' }],
  ['a secret', '{"t": "{{ secrets.hook }}"}', { t: hostile.secrets.hook }],
] as const) {
  test(`what others wrote stays one value: ${name}`, () => {
    assert.deepEqual(JSON.parse(String(render(template, hostile))), value)
  })
}

test('what others wrote stays one value: in several lines of JSON', () => {
  const lines = String(render('{"u": "{{ alert.user }}"}\n{"n": {{ alert.count }}}', hostile))
  assert.deepEqual(
    lines.split('\n').map((line) => JSON.parse(line)),
    [{ u: hostile.alert.user }, { n: 3 }],
  )
})

test('a text that only begins like JSON is a text', () => {
  assert.equal(
    render('[{{ alert.count }}] user "{{ alert.account }}"', hostile),
    '[3] user "CORP\\bob"',
  )
})

test('in a URL a value is one part of it, and a secret as it is', () => {
  const at = (url: string) => new URL(String((render({ url }, hostile) as { url: string }).url))
  const { host, pathname, search } = at('https://api.example/users/{{ alert.path }}/off?by=soc')
  assert.deepEqual(
    [host, pathname, search],
    ['api.example', '/users/..%2Fgroups%2F1%3Fall%3D1%23/off', '?by=soc'],
  )
  assert.equal(
    at('https://api.example/?u={{ alert.user }}').searchParams.get('u'),
    'x", "admin": "yes',
  )
  assert.equal(at('https://hooks.example/{{ secrets.hook }}').pathname, '/T0/B0/x%22y')
  assert.throws(
    () => at('https://api.example/users/{{ alert.up }}/off'),
    /params\.url: .*another place/,
  )
  assert.throws(() => at('https://{{ alert.path }}.corp.example/'), /Invalid URL/)
})

test('in a query a value does not leave the quotes it stands in', () => {
  const { query } = render(
    { query: 'user:"{{ alert.user }}" host:"{{ alert.account }}"' },
    hostile,
  ) as { query: string }
  const parsed = parseQuery(String(query), 0)
  assert.ok(parsed.ok)
  for (const value of [hostile.alert.user, hostile.alert.account]) {
    assert.ok(JSON.stringify(parsed.query).includes(JSON.stringify(value)), value)
  }
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
