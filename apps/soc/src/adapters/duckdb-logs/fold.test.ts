import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { fold } from '@manara/log-query/fold'

const LAST = 0x10ffff
const BLOCK = 4_096
const isSurrogate = (code: number) => code >= 0xd800 && code <= 0xdfff

test('fold and lower() agree on every code point', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  // A text for each block: a row for each of a million code points takes seconds to read. The mark
  // in front keeps U+FEFF from being taken for a byte order mark.
  const found = await connection.runAndReadAll(
    `SELECT string_agg('.' || lower(chr(code)), '\n' ORDER BY code)
     FROM (SELECT unnest(range(1, ${LAST + 1}))::INT AS code)
     WHERE code NOT BETWEEN ${0xd800} AND ${0xdfff}
     GROUP BY code // ${BLOCK} ORDER BY code // ${BLOCK}`,
  )
  const lowered = found.getRows().map(([text]) => String(text))
  connection.closeSync()
  instance.closeSync()

  const codes = Array.from({ length: LAST }, (_, index) => index + 1).filter((c) => !isSurrogate(c))
  const blocks = [...Map.groupBy(codes, (code) => Math.floor(code / BLOCK)).values()]
  assert.equal(lowered.length, blocks.length)
  for (const [index, block] of blocks.entries()) {
    const folded = block.map((code) => `.${fold(String.fromCodePoint(code))}`).join('\n')
    assert.equal(lowered[index], folded, `a code point from ${block[0]} on`)
  }
})
