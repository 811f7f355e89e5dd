import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { mainOf, processFixture } from '@manara/kit/testing/service-process'
import pg from 'pg'
import { testDatabase } from '../../../testing/test-postgres.ts'
import { ADMIN_PASSWORD } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

const MAIN = mainOf('soc')
const ALERTS = 80

test('kill -9 amid a storm of alerts: every one is triaged, none twice', async (t) => {
  const connection = await testDatabase()
  const { host, user, database } = connection
  const { start } = processFixture(t, MAIN, (folder) => ({
    SOC_PORT: '0',
    SOC_WARM_UP: 'off',
    SOC_DATA: path.join(folder, 'data'),
    SOC_ADMIN_PASSWORD: ADMIN_PASSWORD,
    SOC_RATE_GENERAL: '1000000',
    SOC_STARTER_RULES: 'off',
    DATABASE_URL: `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}`,
  }))
  const client = new pg.Client(connection)
  await client.connect()
  t.after(() => client.end())
  const count = async (what: string) => {
    const { rows } = await client.query(`SELECT count(*)::int AS count FROM ${what}`)
    return rows[0].count as number
  }

  const first = start()
  const [, address] = await first.printed(/^soc +(http\S+)/m)
  const send = async (route: string, token: string | undefined, body: object) => {
    const reply = await fetch(`${address}/api/v1${route}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: JSON.stringify(body),
    })
    return (await reply.json()) as Record<string, string>
  }
  const signedIn = await send('/auth/token', undefined, {
    username: 'admin',
    password: ADMIN_PASSWORD,
  })
  await Promise.all(
    Array.from({ length: ALERTS }, (_, n) =>
      send('/alerts', signedIn.access_token, {
        title: `Alert ${n}`,
        source: 't',
        host: `h${n % 7}`,
      }),
    ),
  )
  const triaged = `agent_findings WHERE agent_id = 'agent-001'`
  await until('some are triaged', async () => (await count(triaged)) > 5)
  await first.end('SIGKILL')
  const before = await count(triaged)

  const second = start()
  await second.printed(/^soc +(http\S+)/m)
  await until('all are triaged', async () => (await count(triaged)) === ALERTS)
  assert.ok(before <= ALERTS)
  assert.equal(await count(`alerts WHERE status = 'triaged'`), ALERTS)
  assert.equal(await count(`agent_jobs WHERE agent_id = 'agent-001'`), ALERTS)
  await until('no job is left', async () => {
    const left = `agent_jobs WHERE agent_id = 'agent-001' AND status <> 'done'`
    return (await count(left)) === 0
  })
  const twice = `(SELECT target FROM audit_log WHERE action = 'alert.update'
    GROUP BY target HAVING count(*) > 1) AS twice`
  assert.equal(await count(twice), 0)
})
