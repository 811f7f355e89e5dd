import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../testing/test-soc.ts'

/** PostgreSQL's own words and code, as from a server that was told to take no changes. */
const READ_ONLY = `
  CREATE FUNCTION only_reads() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'cannot execute INSERT in a read-only transaction'
      USING ERRCODE = 'read_only_sql_transaction';
  END $$;
  CREATE TRIGGER only_reads BEFORE INSERT ON alerts EXECUTE FUNCTION only_reads()`

test('a database that only reads is 503 with what to do, and GET /health says it', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const alert = { title: 'a', source: 's', severity: 'low', iocs: [] }
  const raise = () => soc.call('POST', '/alerts', { as, body: alert })
  assert.equal((await soc.call('GET', '/health')).body.database, 'up')

  await soc.query(READ_ONLY)
  const refused = await raise()
  assert.equal(refused.status, 503)
  assert.match(refused.body.detail, /^the database only reads: nothing was changed, let it take/)
  const { status, database } = (await soc.call('GET', '/health')).body
  assert.deepEqual([status, database], ['degraded', 'read_only'])
  const { body } = await soc.call('GET', '/alerts', { as })
  assert.equal(body.total, 0, 'reading goes on')

  await soc.query('DROP TRIGGER only_reads ON alerts')
  assert.equal((await raise()).status, 201)
})
