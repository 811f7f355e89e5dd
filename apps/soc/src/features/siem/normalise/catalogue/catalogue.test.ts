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
      if (expectedAt) assert.equal(new Date(at).toISOString(), expectedAt)
    })
  })
}

test('ids are unique, and every format has samples', () => {
  assert.equal(new Set(CATALOGUE.map(({ id }) => id)).size, CATALOGUE.length)
  for (const { id, samples } of CATALOGUE) assert.ok(samples.length > 0, id)
})
