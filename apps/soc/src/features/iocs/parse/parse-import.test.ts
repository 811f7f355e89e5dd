import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IncomingIoc } from '../merge-iocs.ts'
import { readImport } from './parse-import.ts'

const now = Date.parse('2026-06-15T12:00:00Z')

function read(text: string, isCsv: boolean) {
  const file = readImport({ text, isCsv, now, defaultSource: 'feed' })
  assert.ok('batches' in file)
  const iocs = file.batches.flatMap((batch): IncomingIoc[] => JSON.parse(batch))
  return { iocs, skipped: file.skipped }
}

const ended = (revoked: boolean) => ({
  type: 'indicator',
  pattern_type: 'stix',
  pattern: "[domain-name:value = 'evil.example']",
  valid_from: '2026-05-01T00:00:00Z',
  valid_until: '2026-06-01T00:00:00Z',
  revoked,
})
const bundle = (...objects: object[]) => JSON.stringify({ type: 'bundle', objects })

test('an indicator that is taken back after its end is taken back', () => {
  const { iocs, skipped } = read(bundle(ended(true)), false)
  assert.deepEqual(skipped, [])
  assert.partialDeepStrictEqual(iocs, [{ value: 'evil.example', revoked: true }])
  assert.deepEqual(read(bundle(ended(false)), false), {
    iocs: [],
    skipped: [{ index: 0, reason: 'valid_until: is over' }],
  })
})

test('one that comes twice in a file is valid for the longer of both times', () => {
  const rows = ['2026-07-01 00:00:00', '2026-08-01 00:00:00', '2026-06-20 00:00:00']
  const csv = ['value,valid_until', ...rows.map((until) => `evil.example,${until}`)]
  assert.equal(read(csv.join('\n'), true).iocs[0]?.valid_until, '2026-08-01T00:00:00.000Z')
  const { iocs } = read([...csv, 'evil.example,'].join('\n'), true)
  assert.deepEqual([iocs.length, iocs[0]?.valid_until], [1, undefined])
})

test('a page of TAXII is a bundle, and of several versions of an object the newest counts', () => {
  const page = (...objects: object[]) => JSON.stringify({ more: true, next: '2', objects })
  const of = (modified: string, value: string, more = {}) => ({
    ...{ type: 'indicator', id: 'indicator--1', modified, pattern_type: 'stix' },
    ...{ pattern: `[domain-name:value = '${value}']`, ...more },
  })
  const first = of('2026-05-01T00:00:00Z', 'right.example')
  const corrected = of('2026-05-01T00:00:00.001Z', 'evil.example')
  const over = of('2026-05-02T00:00:00Z', 'evil.example', { valid_until: '2026-06-01T00:00:00Z' })
  const { iocs, skipped } = read(page(corrected, first), false)
  assert.deepEqual(
    iocs.map(({ value }) => value),
    ['evil.example'],
  )
  assert.deepEqual(skipped, [{ index: 1, reason: 'the file has a newer version of it' }])
  assert.deepEqual(read(page(first, corrected, over), false).iocs, [])
})
