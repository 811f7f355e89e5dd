import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { silentLog } from '../testing/test-postgres.ts'
import { startTestSoc } from '../testing/test-soc.ts'
import { openDatabase } from './database.ts'
import { ALERT_TEXT } from './parts-of-words.ts'

test('q finds parts of words in alerts and cases', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const call = (method: string, path: string, body?: unknown) =>
    soc.call(method, path, { as, body })
  await call('POST', '/alerts', {
    title: 'Kerberoasting of svc_backup',
    source: 'edr',
    host: 'fileserver-17',
    iocs: ['203.0.113.77'],
    description: 'Rubeus.exe asked for 40 tickets. Ünïcode.',
  })
  await call('POST', '/alerts', { title: 'Failed passwords', source: 'sshd', host: 'web-1' })
  await call('POST', '/cases', { title: 'Kerberoasting', description: 'tickets of svc_backup' })
  // More than is taken apart: compared as a whole.
  const long = `${'lorem ipsum '.repeat(900)} needle-in-haystack`
  await call('POST', '/alerts', { title: 'Long', source: 'x', description: long })

  const found = async (list: string, q: string): Promise<string[]> =>
    (await call('GET', `/${list}?q=${encodeURIComponent(q)}`)).body.items.map(
      ({ title }: { title: string }) => title,
    )
  const CASES: [q: string, alerts: string[]][] = [
    ['roast', ['Kerberoasting of svc_backup']],
    ['ROAST', ['Kerberoasting of svc_backup']],
    ['backup leserv', ['Kerberoasting of svc_backup']],
    ['0.113.7', ['Kerberoasting of svc_backup']],
    ['beus.ex', ['Kerberoasting of svc_backup']],
    ['ÜNÏC', ['Kerberoasting of svc_backup']],
    ['passwo', ['Failed passwords']],
    ['fa', ['Failed passwords']],
    ['roast nothere', []],
    ['100%', []],
    ['a_b', []],
    ["o'neill", []],
    ['le-in-hay', ['Long']],
    ['"svc_backup"', ['Kerberoasting of svc_backup']],
    ['"svc_back"', []],
    ['failed -passwords', []],
  ]
  for (const [q, titles] of CASES) assert.deepEqual(await found('alerts', q), titles, q)
  assert.deepEqual(await found('cases', 'eroas'), ['Kerberoasting'])
  assert.deepEqual(await found('cases', 'svc_bac'), ['Kerberoasting'])
  assert.deepEqual(await found('cases', 'nothing'), [])
  const { body } = await call('GET', '/alerts?q=roast')
  assert.equal(body.total, 1)

  const database = await openDatabase({ connection: soc.connection, log: silentLog })
  t.after(() => database.close())
  const { indexed, compared } = ALERT_TEXT
  const words = (text: RawBuilder<string>) =>
    sql`ARRAY(SELECT unnest(string_to_array(${text}, ' ')) AS word ORDER BY word)`
  const whole = sql<string>`concat_ws(' ', ${sql.join(compared)})`
  const { rows } = await sql<{ alerts: string; differ: string }>`
    SELECT count(*) AS alerts,
      count(*) FILTER (WHERE ${words(indexed)} IS DISTINCT FROM ${words(whole)}) AS differ
    FROM alerts`.execute(database.kysely)
  assert.deepEqual(rows, [{ alerts: '3', differ: '0' }], 'the index holds what is compared')
})
