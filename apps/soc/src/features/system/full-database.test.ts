import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../testing/test-soc.ts'

/** PostgreSQL's own words and code, as from a disk without room, without one that has to be filled. */
const FULL = `
  CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'could not extend file "base/5/16384": No space left on device'
      USING ERRCODE = 'disk_full', HINT = 'Check free disk space.';
  END $$;
  CREATE TRIGGER no_room BEFORE INSERT ON alerts EXECUTE FUNCTION no_room()`

test('a full disk of the database is 503 with what to do, and GET /health says it', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const alert = { title: 'a', source: 's', severity: 'low', iocs: [] }
  const raise = () => soc.call('POST', '/alerts', { as, body: alert })
  assert.equal((await soc.call('GET', '/health')).body.disk, 'ok')

  await soc.query(FULL)
  const refused = await raise()
  assert.equal(refused.status, 503)
  assert.match(refused.body.detail, /^the disk of the database is full: nothing was changed, free/)
  const { status, disk, database } = (await soc.call('GET', '/health')).body
  assert.deepEqual([status, disk, database], ['degraded', 'full', 'up'])
  const { body } = await soc.call('GET', '/alerts', { as })
  assert.equal(body.total, 0, 'reading goes on')

  await soc.query('DROP TRIGGER no_room ON alerts')
  assert.equal((await raise()).status, 201)
})
