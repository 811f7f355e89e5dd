import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startClickhouse } from '../../testing/clickhouse-servers.ts'
import { type SocProcess, socProcesses } from '../../testing/soc-process.ts'
import { until } from '../../testing/until.ts'

const BATCHES = 12
const BATCH = 25

/** Each event is a hit of the rule and a sighting of the indicator. */
const events = (name: string, batch: number) =>
  Array.from({ length: BATCH }, (_, n) => ({
    id: `${name}-${batch}-${n}`,
    host: `host-${name}`,
    message: `beacon to c2.example ${batch} ${n}`,
  }))

async function send(soc: SocProcess, name: string) {
  const replies = await Promise.all(
    Array.from({ length: BATCHES }, (_, batch) =>
      soc.call('POST', '/siem/logs', { events: events(name, batch) }),
    ),
  )
  for (const { body } of replies) assert.equal(body.accepted, BATCH)
}

test('of three processes on one PostgreSQL and two ClickHouse shards one is killed: no hit or sighting is lost or doubled', async (t) => {
  const { urls } = await startClickhouse(t, 2)
  const start = await socProcesses(t, {
    CLICKHOUSE_URL: urls.join(','),
    CLICKHOUSE_CLUSTER: 'soc',
  })
  const one = await start('one')
  const [two, three] = await Promise.all([start('two'), start('three')])
  const { body: rule } = await one.call('POST', '/detections/rules', {
    name: 'Beacon',
    query: '"beacon to"',
    alert_title_template: 'Beacon on {host}',
  })
  const { body: ioc } = await one.call('POST', '/iocs', { value: 'c2.example', score: 50 })

  await Promise.all([send(one, 'one'), send(two, 'two'), send(three, 'three')])
  // What nobody knows to have been there cannot be missed.
  await until('rules and indicators know of it', async () => {
    const streams = await one.query('SELECT FROM arrival_streams WHERE stream LIKE $1', [
      `%${three.folder}`,
    ])
    return streams.length >= 2
  })
  await three.kill()
  // As if it had been silent for long: living ones say every few seconds that they are there.
  await one.query(
    "UPDATE arrival_streams SET seen_at = now() - interval '10 minutes' WHERE stream LIKE $1",
    [`%${three.folder}`],
  )

  const expected = 3 * BATCHES * BATCH
  const hits = async () => {
    const { body } = await one.call('GET', `/alerts?rule_id=${rule.id}`)
    return (body.items as { occurrence_count: number }[]).reduce(
      (sum, alert) => sum + alert.occurrence_count,
      0,
    )
  }
  const sightings = async () => (await one.call('GET', `/iocs/${ioc.id}`)).body.sightings
  await until('the living have taken over', async () => {
    return (await hits()) >= expected && (await sightings()) >= expected
  })
  await until('nothing is left to read', async () => {
    const rows = await one.query('SELECT 1 FROM arrival_backlog')
    return rows.length === 0
  })
  assert.deepEqual([await hits(), await sightings()], [expected, expected])
  assert.equal((await one.call('GET', `/alerts?rule_id=${rule.id}`)).body.items.length, 3)

  // Counts are kept beside the events by the servers, whichever process wrote them.
  for (const soc of [one, two]) {
    const { body } = await soc.call('GET', '/siem/fields/severity/values')
    const counted = (body.items as { count: number }[]).reduce((sum, { count }) => sum + count, 0)
    assert.equal(counted, expected)
  }
})
