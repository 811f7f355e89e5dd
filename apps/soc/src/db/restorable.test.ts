import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { ownerOf, testDatabase } from '../testing/test-postgres.ts'

/** Every expression that PostgreSQL computes of a row while pg_restore puts it back. */
const COMPUTED = `
  SELECT adrelid::regclass::text AS relation, pg_get_expr(adbin, adrelid) AS expression
    FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
    WHERE attgenerated <> ''
  UNION ALL SELECT indrelid::regclass::text, pg_get_expr(indexprs, indrelid)
    FROM pg_index WHERE indexprs IS NOT NULL
  UNION ALL SELECT indrelid::regclass::text, pg_get_expr(indpred, indrelid)
    FROM pg_index WHERE indpred IS NOT NULL
  UNION ALL SELECT conrelid::regclass::text, pg_get_expr(conbin, conrelid)
    FROM pg_constraint WHERE conbin IS NOT NULL AND conrelid <> 0`

/** A row of it with something in each column that holds text. */
const ROW = `
  SELECT jsonb_object_agg(attname, CASE atttypid
    WHEN 'text'::regtype THEN '"word"'::jsonb ELSE '["word"]'::jsonb END) AS row
  FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0
    AND atttypid IN ('text'::regtype, 'text[]'::regtype)`

test('what is computed of a row is also computed while a backup is restored', async (t) => {
  const client = new pg.Client(ownerOf(await testDatabase()))
  await client.connect()
  t.after(() => client.end())
  // As pg_dump writes it at the head of every dump.
  await client.query(`SELECT pg_catalog.set_config('search_path', '', false)`)
  const { rows } = await client.query(COMPUTED)
  const own = rows.filter(({ relation }) => relation.startsWith('public.'))
  assert.ok(own.some(({ expression }) => expression.includes('alert_words')))
  for (const { relation, expression } of own) {
    const filled = (await client.query(ROW, [relation])).rows[0].row ?? {}
    const [, alias] = relation.split('.')
    await client
      .query(
        `SELECT ${expression} FROM jsonb_populate_record(NULL::${relation}, $1::jsonb) AS ${alias}`,
        [filled],
      )
      .catch((error) => assert.fail(`${relation}: ${expression}: ${error.message}`))
  }
})
