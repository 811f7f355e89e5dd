import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Query } from '@manara/log-query/ast'
import { resolveFields } from './resolve-fields.ts'

test('two fields are compared in a few of their spellings, however many senders have', () => {
  const placesOf = (name: string) => [name, ...Array.from({ length: 999 }, (_, n) => `${name}${n}`)]
  const asked: Query = {
    kind: 'field',
    field: 'a',
    match: { kind: 'same-as', field: 'b', how: 'equals' },
  }
  const query = resolveFields(asked, placesOf)
  assert.ok(query.kind === 'or' && query.queries.length <= 256)
  assert.deepEqual(query.queries[0], asked)
})
