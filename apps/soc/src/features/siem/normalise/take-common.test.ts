import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { flatten, type JsonMap } from './fields.ts'
import { normalise } from './normalise.ts'
import { flattenRest, restOf, takeCommon } from './take-common.ts'

const receivedAt = Date.UTC(2026, 10, 16)

const names = fc.constantFrom(
  ...['id', 'host', 'source', 'severity', 'message', 'timestamp', 'src_ip', 'fields', 'ts', 'uid'],
  ...['a', 'b', 'a.b', '7', '7.b', '12', '', '__proto__', 'x\0'],
)
const values = fc.constantFrom<unknown>(
  ...[
    null,
    1,
    'web1',
    'high',
    'ERR',
    '192.0.2.7',
    '2026-11-15T08:00:00.000Z',
    ['a', 1],
    [{ b: 2 }],
  ],
)
const { event } = fc.letrec<{ event: JsonMap }>((again) => ({
  event: fc
    .array(fc.tuple(names, fc.oneof({ depthSize: 'small' }, values, again('event'))), {
      maxLength: 8,
    })
    .map((pairs) => JSON.parse(`{${pairs.map(([name, value]) => pair(name, value)).join()}}`)),
}))
const pair = (name: string, value: unknown) => `${JSON.stringify(name)}:${JSON.stringify(value)}`

/** In their order too: what a parser added is told from what came by it. */
const written = (flat: { fields: object; isExact: boolean }) => [
  ...[JSON.stringify(flat.fields), flat.isExact],
]

test('the fields of an event are those of what no column holds', () => {
  fc.assert(
    fc.property(event, fc.boolean(), fc.boolean(), (object, isEnvelope, areDotsPaths) => {
      for (const known of [{}, { host: 'relay', at: receivedAt }]) {
        const id = isEnvelope ? object.id : undefined
        const taken = takeCommon(object, { known, receivedAt, isEnvelope, id })
        const rest = restOf(object, taken)
        const flat = flattenRest(object, taken, areDotsPaths)
        assert.deepEqual(written(flat), written(flatten(rest, areDotsPaths)))
      }
    }),
    { numRuns: 2_000 },
  )
})

test('more fields than an event may have overflow alike, within `fields` and beside it', () => {
  const many = (prefix: string) =>
    Object.fromEntries(Array.from({ length: 700 }, (_, n) => [`${prefix}${n}`, n]))
  const object = { host: 'web1', ...many('a'), fields: many('b') }
  const taken = takeCommon(object, { known: {}, receivedAt, isEnvelope: true, id: undefined })
  const flat = flattenRest(object, taken)
  assert.deepEqual(written(flat), written(flatten({ ...many('a'), ...many('b') })))
  assert.equal(flat.isExact, false)
})

const CLASHES: [what: string, object: JsonMap, fields: object][] = [
  ['beside it', { zone: 'x', fields: { zone: 'dmz', tenant: 'acme' } }, { zone: 'x' }],
  [
    'in a message that is JSON',
    { message: '{"msg":"login failed","zone":"x"}', fields: { zone: 'dmz', tenant: 'acme' } },
    { msg: 'login failed', zone: 'x' },
  ],
  [
    'in a message that names the shipper, too',
    {
      message: '{"zone":"x","shipper.zone":"fake","fields":{"tenant":"y","zone":"z"}}',
      fields: { zone: 'dmz', tenant: 'acme' },
    },
    { zone: 'x', 'event.shipper.zone': 'fake', 'fields.tenant': 'y', 'fields.zone': 'z' },
  ],
  [
    'in a message that has no map under `fields`',
    { message: '{"zone":"x","fields":null}', fields: { zone: 'dmz', tenant: 'acme' } },
    { zone: 'x', fields: null },
  ],
]
for (const [what, object, fields] of CLASHES) {
  test(`a name in \`fields\` that is ${what}: every other one stays a field`, () => {
    const given = { message: 'login failed', ...object }
    const arrival = { receivedAt, way: 'api', newId: () => 'made' }
    const log = normalise({ object: given, isEnvelope: true }, arrival)
    assert.deepEqual(log.fields, { ...fields, 'shipper.zone': 'dmz', tenant: 'acme' })
  })
}

test('a name in `fields` that says the same as the one beside it is one field', () => {
  const object = { zone: 'x', fields: { zone: 'x', tenant: 'acme' } }
  const taken = takeCommon(object, { known: {}, receivedAt, isEnvelope: true, id: undefined })
  assert.deepEqual(flattenRest(object, taken).fields, { zone: 'x', tenant: 'acme' })
})
