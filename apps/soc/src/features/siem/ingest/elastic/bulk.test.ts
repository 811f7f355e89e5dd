import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentPieces } from './bulk.ts'

test('an index that is new every day, or after every rollover, is one source', () => {
  const cases: [index: string, source: string][] = [
    ['logstash-2026.11.17', 'logstash'],
    ['pino-2026-11-17', 'pino'],
    ['app_20261117', 'app'],
    ['app-2026.11', 'app'],
    ['app-2026.w46', 'app'],
    ['app-2026.11.17-05', 'app'],
    ['app-000012', 'app'],
    ['.ds-logs-app-default-2026.11.17-000001', '.ds-logs-app-default'],
    // Names, not dates.
    ['web-1', 'web-1'],
    ['windows-2022', 'windows-2022'],
    ['logs-nginx.access-default', 'logs-nginx.access-default'],
    ['2026.11.17', '2026.11.17'],
    ['-2026.11.17', '-2026.11.17'],
    [`${'-2026.11'.repeat(100_000)}x`, `${'-2026.11'.repeat(100_000)}x`],
  ]
  for (const [index, source] of cases) {
    const [piece] = documentPieces(Buffer.from('{"message":"x"}'), { index, id: undefined })
    assert.ok(piece && 'object' in piece)
    // What was sent stays beside it.
    const kept = source === index ? undefined : index
    assert.deepEqual([piece.index, piece.facts?._index], [source, kept])
  }
})
