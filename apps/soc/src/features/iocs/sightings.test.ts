import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Alert } from '@manara/soc-contract/alerts'
import type { Ioc, Sighting } from '@manara/soc-contract/iocs'
import { startTestSoc, type TestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

const actions = (soc: TestSoc, as: string) => ({
  add: async (body: object): Promise<Ioc> => (await soc.call('POST', '/iocs', { as, body })).body,
  async send(...events: object[]) {
    const { status, body } = await soc.call('POST', '/siem/logs', { as, body: { events } })
    assert.deepEqual([status, body.accepted], [200, events.length])
  },
  async sightings(ioc: Ioc, count: number): Promise<Sighting[]> {
    let items: Sighting[] = []
    await until(`${count} sightings of ${ioc.value}`, async () => {
      items = (await soc.call('GET', `/iocs/${ioc.id}/sightings`, { as })).body.items
      return items.length >= count
    })
    assert.equal(items.length, count)
    return items
  },
  lookedBack: (ioc: Ioc) =>
    until(`${ioc.value} was looked for`, async () => {
      const { lookback } = (await soc.call('GET', `/iocs/${ioc.id}`, { as })).body
      return lookback === 'done'
    }),
  alerts: async (): Promise<Alert[]> =>
    (await soc.call('GET', '/alerts?source=ioc', { as })).body.items,
})

test('sightings of indicators', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const { add, send, sightings, lookedBack, alerts } = actions(soc, as)
  const seenAt = new Date(Date.now() - 60_000).toISOString()

  await t.test('a new event that holds one, in its message or in a field', async () => {
    const domain = await add({ value: 'evil.example', score: 60 })
    const network = await add({ value: '203.0.113.0/24', score: 60 })
    await send(
      { id: 'a-1', timestamp: seenAt, host: 'web-1', message: 'GET http://cdn.evil.example/x' },
      { id: 'a-2', timestamp: seenAt, host: 'web-2', message: 'conn', dst_ip: '203.0.113.9' },
      { id: 'a-3', message: 'nothing here', dns: { question: { name: 'a.evil.example' } } },
    )
    const found = await sightings(domain, 2)
    assert.deepEqual(
      found.find(({ log_id }) => log_id === 'a-1'),
      { ioc_id: domain.id, log_id: 'a-1', seen_at: seenAt, direction: 'arrival', host: 'web-1' },
    )
    assert.deepEqual(
      (await sightings(network, 1)).map(({ host }) => host),
      ['web-2'],
    )
    const { body } = await soc.call('GET', `/iocs/${network.id}`, { as })
    assert.deepEqual([body.sightings, body.first_sighted_at], [1, seenAt])
    assert.equal(body.last_sighted_at, seenAt)
    assert.deepEqual(await alerts(), [], 'a score of 60 is no alert')
  })

  await t.test('a new indicator is looked for in what is stored', async () => {
    await send(
      { id: 'b-1', timestamp: seenAt, host: 'hr-7', message: 'login from 198.51.100.77 failed' },
      { id: 'b-2', timestamp: seenAt, host: 'hr-7', message: 'login from 198.51.100.7 failed' },
      { id: 'b-3', timestamp: seenAt, host: 'hr-7', message: 'x', src_ip: '192.0.2.130' },
      { id: 'b-4', timestamp: seenAt, host: 'hr-7', message: 'x', answers: ['192.0.2.131'] },
    )
    const address = await add({ value: '198.51.100[.]7', score: 50 })
    const network = await add({ value: '192.0.2.128/25', score: 50 })
    const [seen] = await sightings(address, 1)
    assert.deepEqual([seen?.log_id, seen?.direction], ['b-2', 'lookback'])
    assert.deepEqual((await sightings(network, 2)).map(({ log_id }) => log_id).sort(), [
      'b-3',
      'b-4',
    ])
    await lookedBack(address)
  })

  await t.test('from a score of 70 on it is an alert, one an indicator and host', async () => {
    const bad = await add({ value: 'c2.example', score: 75, tags: ['apt'] })
    await lookedBack(bad)
    await send(
      { id: 'c-1', host: 'fin-1', message: 'beacon c2.example' },
      { id: 'c-2', host: 'fin-1', message: 'beacon c2.example' },
      { id: 'c-3', host: 'fin-2', message: 'beacon c2.example' },
    )
    await sightings(bad, 3)
    const raised = (await alerts()).sort((a, b) => a.title.localeCompare(b.title))
    assert.deepEqual(
      raised.map(({ title, host, severity, iocs, tags }) => [title, host, severity, iocs, tags]),
      [
        ['Known domain c2.example seen on fin-1', 'fin-1', 'high', ['c2.example'], ['apt']],
        ['Known domain c2.example seen on fin-2', 'fin-2', 'high', ['c2.example'], ['apt']],
      ],
    )
  })

  await t.test('a sent-again event is one sighting', async () => {
    const hash = await add({ value: 'ab'.repeat(32), score: 10 })
    const event = { id: 'd-1', message: 'x', hashes: `SHA256=${'AB'.repeat(32)}` }
    await send(event)
    await sightings(hash, 1)
    await send(event, { id: 'd-2', message: `again ${'ab'.repeat(32)}` })
    await sightings(hash, 2)
  })

  await t.test('an import hash is its own type, stored or arriving, and never an MD5', async () => {
    const value = '17b461a082950fc6332228572138b80c'
    const sysmon = { host: 'ws-1', message: 'x', Hashes: `MD5=${'0'.repeat(32)},IMPHASH=${value}` }
    // Seen is what came in, whatever time a machine gives it.
    const old = { timestamp: '2020-01-02T03:04:05Z', host: 'ws-2', message: 'x', Imphash: value }
    await send({ ...sysmon, id: 'i-1' }, { ...old, id: 'i-2' })
    const md5 = await add({ value, score: 90 })
    const imphash = await add({ type: 'imphash', value, score: 75 })
    assert.deepEqual([md5.type, imphash.type], ['md5', 'imphash'])
    await sightings(imphash, 2)
    await lookedBack(md5)
    await send(
      { ...sysmon, id: 'i-3' },
      { id: 'i-4', host: 'ws-3', message: 'x', process: { pe: { imphash: value } } },
      { id: 'i-5', host: 'ws-4', message: `MD5=${value}` },
    )
    const found = await sightings(imphash, 4)
    assert.deepEqual(found.map(({ log_id }) => log_id).sort(), ['i-1', 'i-2', 'i-3', 'i-4'])
    assert.deepEqual(
      (await sightings(md5, 1)).map(({ log_id }) => log_id),
      ['i-5'],
    )
    const told = (await alerts()).filter(({ title }) => title.includes(value))
    assert.deepEqual(told.map(({ host, iocs }) => [host, ...iocs]).sort(), [
      ['ws-1', `imphash:${value}`],
      ['ws-2', `imphash:${value}`],
      ['ws-3', `imphash:${value}`],
      ['ws-4', value],
    ])
    const common = async (asked: string) =>
      (await soc.call('GET', `/iocs/prevalence?value=${asked}`, { as })).body
    assert.partialDeepStrictEqual(await common(value), { type: 'md5', hosts: 1 })
    assert.partialDeepStrictEqual(await common(`imphash:${value}`), { type: 'imphash', hosts: 3 })
    assert.equal((await common(`${value}&type=imphash`)).hosts, 3)
    const { body } = await soc.call('GET', `/iocs?value=${value}`, { as })
    assert.deepEqual(body.items.map(({ type }: Ioc) => type).sort(), ['imphash', 'md5'])
  })

  await t.test('what is revoked, or decayed below 70, raises nothing', async () => {
    const revoked = await add({ value: 'gone.example', score: 90 })
    const old = await add({ value: 'old.example', score: 90 })
    const marker = await add({ value: 'marker.example', score: 10 })
    await lookedBack(marker)
    await soc.call('PATCH', `/iocs/${revoked.id}`, { as, body: { revoked: true } })
    await soc.query("UPDATE iocs SET scored_at = now() - interval '90 days' WHERE id = $1", [
      old.id,
    ])
    const before = (await alerts()).length
    await send({ id: 'e-1', host: 'h', message: 'gone.example old.example marker.example' })
    await sightings(marker, 1)
    await sightings(old, 1)
    assert.deepEqual(await sightings(revoked, 0), [])
    assert.equal((await alerts()).length, before)
  })

  await t.test('an import of many is looked for in one reading of the logs', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => `10.9.${index}.1`)
    await send({ id: 'f-1', host: 'h', message: 'from 10.9.150.1 to 10.9.151.2' })
    const headers = { 'content-type': 'text/csv' }
    const { body } = await soc.call('POST', '/iocs/import', { as, headers, body: rows.join('\n') })
    assert.equal(body.imported, 200)
    const { items } = (await soc.call('GET', '/iocs?value=10.9.150.1', { as })).body
    const [seen] = await sightings(items[0], 1)
    assert.deepEqual([seen?.log_id, seen?.direction], ['f-1', 'lookback'])
    await lookedBack(items[0])
  })
})

test('an indicator that another process stored is matched too, and those of before', async (t) => {
  const one = await startTestSoc(t)
  const as = await one.signIn()
  const early = await actions(one, as).add({ value: 'early.example' })
  const other = await startTestSoc(t, { connection: one.connection })
  const { send, sightings } = actions(other, as)
  await send({ id: 'x-0', message: 'early.example' })
  await sightings(early, 1)
  const late = await actions(one, as).add({ value: 'late.example' })
  let sent = 0
  await until('the other process has heard of it', async () => {
    sent += 1
    await send({ id: `x-${sent}`, message: 'late.example' })
    const { body } = await other.call('GET', `/iocs/${late.id}`, { as })
    return body.sightings > 0
  })
})
