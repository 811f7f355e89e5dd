import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../testing/test-soc.ts'

/** In PostgreSQL's own words and codes, without a disk to fill or a server to reconfigure. */
const REFUSALS = [
  {
    name: 'a full disk of the database',
    raised: `'could not extend file "base/5/16384": No space left on device'
      USING ERRCODE = 'disk_full', HINT = 'Check free disk space.'`,
    told: /^the disk of the database is full: nothing was changed, free/,
    health: { status: 'degraded', disk: 'full', database: 'up' },
  },
  {
    name: 'a database that only reads',
    raised: `'cannot execute INSERT in a read-only transaction'
      USING ERRCODE = 'read_only_sql_transaction'`,
    told: /^the database only reads: nothing was changed, let it take/,
    health: { status: 'degraded', disk: 'ok', database: 'read_only' },
  },
]

for (const { name, raised, told, health } of REFUSALS) {
  test(`${name} is 503 with what to do, and GET /health says it`, async (t) => {
    const soc = await startTestSoc(t)
    const as = await soc.signIn()
    const alert = { title: 'a', source: 's', severity: 'low', iocs: [] }
    const raise = () => soc.call('POST', '/alerts', { as, body: alert })
    const healthNow = async () => {
      const { status, disk, database } = (await soc.call('GET', '/health')).body
      return { status, disk, database }
    }
    assert.deepEqual(await healthNow(), { status: 'ok', disk: 'ok', database: 'up' })

    await soc.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION ${raised};
      END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON alerts EXECUTE FUNCTION refuse()`)
    const refused = await raise()
    assert.equal(refused.status, 503)
    assert.match(refused.body.detail, told)
    assert.deepEqual(await healthNow(), health)
    const { body } = await soc.call('GET', '/alerts', { as })
    assert.equal(body.total, 0, 'reading goes on')

    await soc.query('DROP TRIGGER refuse ON alerts')
    assert.equal((await raise()).status, 201)
  })
}
