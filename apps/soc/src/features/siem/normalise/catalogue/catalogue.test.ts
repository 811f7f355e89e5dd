import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSyslog } from '../../ingest/syslog/read-syslog.ts'
import { type Incoming, normalise } from '../normalise.ts'
import { PARSER } from '../parsed.ts'
import { CATALOGUE } from './catalogue.ts'
import type { Sample } from './log-format.ts'

const RECEIVED_AT = Date.UTC(2026, 5, 1)

/** As it comes in: with a priority by syslog, else as a line or an object over HTTP. */
function incomingOf({ event, program }: Sample): Incoming {
  if (typeof event === 'object') return { object: event as Record<string, unknown> }
  if (/^<\d+>/.test(event)) return readSyslog({ text: event, peer: '192.0.2.250' }, RECEIVED_AT)
  return { text: event, known: program ? { process: program } : undefined }
}

for (const { id, samples } of CATALOGUE) {
  samples.forEach((sample, index) => {
    test(`${id}: sample ${index + 1}`, () => {
      const arrival = { receivedAt: RECEIVED_AT, way: 'api', newId: () => 'id' }
      const { at, ...log } = normalise(incomingOf(sample), arrival)
      const { at: expectedAt, fields, ...columns } = sample.expect
      assert.equal(log.fields[PARSER], id)
      assert.partialDeepStrictEqual(log, { ...columns, fields: fields ?? {} })
      if (expectedAt) assert.deepEqual(new Date(at), new Date(expectedAt))
    })
  })
}

/** The same with one word after the other in place of which stands what every object has. */
function* varied(event: unknown): Iterable<unknown> {
  if (typeof event !== 'object' || event === null) return yield 'constructor'
  for (const [name, value] of Object.entries(event)) {
    for (const other of varied(value)) {
      yield Array.isArray(event) ? event.with(Number(name), other) : { ...event, [name]: other }
    }
  }
}
const variedText = (text: string) =>
  [...text.matchAll(/\w+/g)].map(
    ({ 0: word, index }) => `${text.slice(0, index)}constructor${text.slice(index + word.length)}`,
  )

test('whatever an event says, what is read of it is words, numbers and lists of them', () => {
  const arrival = { receivedAt: RECEIVED_AT, way: 'api', newId: () => 'id' }
  for (const sample of CATALOGUE.flatMap(({ samples }) => samples)) {
    const { event } = sample
    for (const other of typeof event === 'string' ? variedText(event) : varied(event)) {
      const log = normalise(incomingOf({ ...sample, event: other as typeof event }), arrival)
      for (const value of [...Object.values(log), ...Object.values(log.fields)].flat()) {
        assert.notEqual(typeof value, 'function', JSON.stringify(other))
      }
    }
  }
})

test('ids are unique, and every format has samples', () => {
  assert.equal(new Set(CATALOGUE.map(({ id }) => id)).size, CATALOGUE.length)
  for (const { id, samples } of CATALOGUE) assert.ok(samples.length > 0, id)
})

test('what says no year is of the year that it is on its own clock, around New Year too', () => {
  const lines = (day: string, time: string) => [
    `${day}-${time}.000000  [**] [1:2024897:3] ET SCAN [**] [Priority: 2] {TCP} 10.0.0.5:1 -> 192.0.2.1:2`,
    `E${day.replace('/', '')} ${time}.000000    4711 kubelet.go:2183] "Unhandled" err="no"`,
  ]
  for (const [receivedAt, day, time, expected] of [
    // Three hours ahead of us, and one that was long on its way.
    ['2026-12-31T21:00:01Z', '01/01', '00:00:00', '2027-01-01T00:00:00.000Z'],
    ['2027-01-01T00:00:01Z', '12/31', '23:59:59', '2026-12-31T23:59:59.000Z'],
    ['2028-03-01T00:00:01Z', '02/29', '23:59:59', '2028-02-29T23:59:59.000Z'],
  ] as const) {
    const arrival = { receivedAt: Date.parse(receivedAt), way: 'api', newId: () => 'id' }
    for (const text of lines(day, time)) {
      assert.equal(new Date(normalise({ text }, arrival).at).toISOString(), expected, text)
    }
  }
})
