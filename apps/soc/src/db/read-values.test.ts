import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { testDatabase } from '../testing/test-postgres.ts'
import { readValues } from './read-values.ts'
import { arrayLiteral, textArray } from './text-array.ts'

const TEXTS = [
  [],
  ['10.0.0.7'],
  ['a', 'b c', ''],
  ['NULL', 'null'],
  ['"quoted"', 'back\\slash', '{brace}', 'comma,', "'"],
  ['سلام', '🙂', 'line\nbreak\ttab'],
]

test('values of the database', async (t) => {
  const client = new pg.Client({ ...(await testDatabase()), types: readValues })
  await client.connect()
  t.after(() => client.end())
  const ask = async (text: string, ...values: unknown[]) =>
    (await client.query<{ v: unknown }>(`SELECT ${text} AS v`, values)).rows[0]?.v

  for (const texts of TEXTS) {
    await t.test(`texts come back as they went: ${JSON.stringify(texts)}`, async () => {
      assert.deepEqual(await ask('$1::text[]', textArray(texts)), texts)
      assert.deepEqual(await ask('$1::text::text[]', arrayLiteral(texts)), texts)
    })
  }

  await t.test('what is not there is not an empty text', async () => {
    assert.deepEqual(await ask('$1::text[]', textArray(['a', null, undefined, ''])), [
      'a',
      null,
      null,
      '',
    ])
    assert.deepEqual(await ask("ARRAY['a', NULL]"), ['a', null])
    assert.deepEqual(await ask("ARRAY[['a', 'b'], ['c', 'd']]"), [
      ['a', 'b'],
      ['c', 'd'],
    ])
  })

  for (const zone of ['UTC', 'Asia/Kathmandu', 'America/St_Johns']) {
    await t.test(`a moment is the same one for a server in ${zone}`, async () => {
      await client.query(`SET timezone = '${zone}'`)
      for (const moment of [
        '2026-03-01T10:00:00.000Z',
        '2026-03-01T10:00:00.500Z',
        '2026-12-31T23:59:59.285Z',
        '0044-03-15T00:00:00.001Z',
      ]) {
        const read = (await ask('$1::timestamptz', moment)) as Date
        assert.equal(read.toISOString(), moment)
      }
      assert.equal(await ask("'infinity'::timestamptz"), Number.POSITIVE_INFINITY)
    })
  }
})
