import assert from 'node:assert/strict'
import { test } from 'node:test'
import { socProcesses } from '../../testing/soc-process.ts'
import { until } from '../../testing/until.ts'

test('kill -9 right after events were acknowledged loses no sighting and makes none twice', async (t) => {
  const start = await socProcesses(t)
  const first = await start('one')
  const { body: ioc } = await first.call('POST', '/iocs', { value: 'c2.example', score: 90 })
  await until('it was looked for', async () => {
    const { body } = await first.call('GET', `/iocs/${ioc.id}`)
    return body.lookback === 'done'
  })
  const events = (batch: number) =>
    Array.from({ length: 50 }, (_, n) => ({
      id: `${batch}-${n}`,
      host: 'fin-1',
      message: `beacon ${n} to c2.example`,
    }))
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, batch) =>
      first.call('POST', '/siem/logs', { events: events(batch) }),
    ),
  )
  const killed = first.kill()
  assert.deepEqual(
    replies.map(({ body }) => body.accepted),
    replies.map(() => 50),
  )
  await killed

  const second = await start('one')
  const read = async () => (await second.call('GET', `/iocs/${ioc.id}`)).body.sightings
  await until('every sighting is there', async () => (await read()) >= 500)
  // One more event: when that is seen, so is all that was looked at again.
  await second.call('POST', '/siem/logs', { events: [{ id: 'last', message: 'c2.example' }] })
  await until('the last one is seen', async () => {
    const { body } = await second.call('GET', `/iocs/${ioc.id}/sightings?limit=1`)
    return body.items[0].log_id === 'last'
  })
  assert.equal(await read(), 501)
})
