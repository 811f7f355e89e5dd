import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Alert } from '@manara/soc-contract/alerts'
import type { Device } from '@manara/soc-contract/cps'
import { startTestSoc, type TestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

const NOON = Date.parse('2026-03-02T12:00:00Z') / 1000

async function started(t: TestContext) {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  return { soc, ...(await talking(soc, as)) }
}

async function talking(soc: TestSoc, as: string) {
  const send = (method: string, path: string, body?: unknown) =>
    soc.call(method, path, { as, body })
  const listOf = async <Item>(path: string): Promise<Item[]> => (await send('GET', path)).body.items
  return {
    send,
    ingest: (...events: object[]) => send('POST', '/siem/logs', events),
    devices: () => listOf<Device>('/cps/devices?managed=false&order=asc'),
    alerts: () => listOf<Alert>('/alerts?source=discovery&order=asc'),
    writers: () => listOf<{ id: string; address: string; is_usual: boolean }>('/discovery/writers'),
    async site() {
      const { body } = await send('POST', '/sites', { name: 'Pumping station 3' })
      return body.id as string
    },
    async seen(count: number): Promise<Device[]> {
      let found: Device[] = []
      await until(`${count} devices`, async () => {
        found = await listOf<Device>('/cps/devices?managed=false&order=asc')
        return found.length >= count
      })
      return found
    },
  }
}

const modbus = (from: string, to: string, func = 'READ_HOLDING_REGISTERS', minutes = 0) => ({
  ...{ _path: 'modbus', ts: NOON + minutes * 60, uid: `C${minutes}${from}${func}` },
  ...{ 'id.orig_h': from, 'id.orig_p': 40_000, 'id.resp_h': to, 'id.resp_p': 502, func },
})
const WRITE = 'WRITE_SINGLE_REGISTER'

const lease = (mac: string, address: string, host_name: string, minutes = 0) => ({
  ...{ _path: 'dhcp', ts: NOON + minutes * 60, uids: [`C${mac}${minutes}`] },
  ...{ mac, assigned_addr: address, host_name },
})

test('devices in the logs are unmanaged devices, with what is known', async (t) => {
  const { ingest, seen, alerts } = await started(t)
  await ingest(modbus('10.1.2.5', '10.1.3.7'), lease('00:1b:1b:aa:00:01', '10.1.3.9', 'hmi-2'), {
    _path: 'http',
    ts: NOON,
    uid: 'Cx',
    'id.orig_h': '10.1.2.5',
    'id.resp_h': '10.1.3.200',
  })
  const found = await seen(2)
  assert.equal(found.length, 2)
  assert.partialDeepStrictEqual(
    found.find(({ protocols }) => protocols.includes('modbus')),
    {
      name: 'plc 10.1.3.7',
      device_type: 'plc',
      managed: false,
      addresses: ['10.1.3.7'],
      protocols: ['modbus'],
      certificate: null,
      trust_status: 'unknown',
      last_seen_at: '2026-03-02T12:00:00.000Z',
    },
  )
  assert.partialDeepStrictEqual(
    found.find(({ name }) => name === 'hmi-2'),
    { hostname: 'hmi-2', mac_addresses: ['00:1b:1b:aa:00:01'], addresses: ['10.1.3.9'] },
  )
  // Nobody has said what a zone is.
  assert.deepEqual(await alerts(), [])
})

test('a machine is one device, whatever it is seen by', async (t) => {
  const { ingest, seen, devices } = await started(t)
  await ingest(modbus('10.1.2.5', '10.1.3.7'))
  await seen(1)
  await ingest(lease('00:1b:1b:aa:00:01', '10.1.3.7', 'press-1', 1))
  await until('its name', async () => (await devices())[0]?.hostname === 'press-1')
  await ingest(lease('00:1b:1b:aa:00:01', '10.1.3.8', 'press-1', 2))
  await until('its new address', async () => (await devices())[0]?.addresses.length === 2)
  const [press, ...others] = await devices()
  assert.deepEqual(others, [])
  assert.partialDeepStrictEqual(press, {
    protocols: ['modbus', 'dhcp'],
    addresses: ['10.1.3.7', '10.1.3.8'],
    device_type: 'plc',
  })
  // The old address goes to another machine.
  await ingest(lease('00:1b:1b:aa:00:02', '10.1.3.7', 'press-2', 3))
  await seen(2)
  const [first, second] = await devices()
  assert.deepEqual([first?.hostname, second?.hostname], ['press-1', 'press-2'])
})

test('a new device in a zone is an alert, what was known before is not', async (t) => {
  const { ingest, seen, send, site, alerts, devices } = await started(t)
  await ingest(modbus('10.1.2.5', '10.1.3.7'))
  await seen(1)
  const site_id = await site()
  const zone = { network: '10.1.3.99/24', site_id, zone: 'process', purdue_level: 1 }
  const added = await send('POST', '/discovery/networks', zone)
  assert.deepEqual([added.status, added.body.network], [201, '10.1.3.0/24'])
  assert.partialDeepStrictEqual((await devices())[0], { site_id, zone: 'process' })
  await ingest(modbus('10.1.2.5', '10.1.3.7', undefined, 1), modbus('10.1.2.5', '10.1.3.66'))
  await until('the alert', async () => (await alerts()).length > 0)
  const [alert, ...more] = await alerts()
  assert.deepEqual(more, [])
  assert.partialDeepStrictEqual(alert, {
    title: 'New device plc 10.1.3.66 in zone process',
    severity: 'medium',
    host: 'plc 10.1.3.66',
    site_id,
    iocs: ['10.1.3.66'],
    first_seen_at: '2026-03-02T12:00:00.000Z',
    mitre_techniques: ['T0864'],
  })
  assert.ok(alert?.tags.includes('new-device'))
  assert.match(alert?.source_ref ?? '', /./)
})

test('a zone that is being learnt is quiet', async (t) => {
  const { ingest, seen, send, site, alerts } = await started(t)
  const body = { network: '10.1.3.0/24', site_id: await site(), zone: 'process', quiet_hours: 24 }
  await send('POST', '/discovery/networks', body)
  await ingest(modbus('10.1.2.5', '10.1.3.7'))
  assert.equal((await seen(1))[0]?.zone, 'process')
  assert.deepEqual(await alerts(), [])
})

test('a write command from an unusual place is an alert, until somebody says that it may', async (t) => {
  const { ingest, seen, send, alerts, writers } = await started(t)
  await ingest(modbus('10.1.2.5', '10.1.3.7', WRITE), modbus('10.1.2.5', '10.1.3.7', WRITE, 1))
  await seen(1)
  await until('its master', async () => (await writers()).length === 1)
  assert.deepEqual(await alerts(), [])
  await ingest(modbus('10.1.9.9', '10.1.3.7', WRITE, 5))
  await until('the alert', async () => (await alerts()).length > 0)
  const [alert] = await alerts()
  assert.partialDeepStrictEqual(alert, {
    title: 'Write command to plc 10.1.3.7 from an unusual place',
    severity: 'high',
    host: 'plc 10.1.3.7',
    iocs: ['10.1.9.9'],
    mitre_techniques: ['T0855'],
    occurrence_count: 1,
  })
  assert.match(alert?.description ?? '', /^10\.1\.9\.9 sent WRITE_SINGLE_REGISTER \(modbus\)/)
  const stranger = (await writers()).find(({ address }) => address === '10.1.9.9')
  assert.equal(stranger?.is_usual, false)
  await ingest(modbus('10.1.9.9', '10.1.3.7', WRITE, 90))
  await until('once more', async () => (await alerts())[0]?.occurrence_count === 2)
  const judged = await send('PATCH', `/discovery/writers/${stranger?.id}`, { is_usual: true })
  assert.deepEqual([judged.body.is_usual, judged.body.accepted_by], [true, 'admin'])
  await ingest(modbus('10.1.9.9', '10.1.3.7', WRITE, 200), modbus('10.1.2.5', '10.1.3.50'))
  await seen(2)
  assert.equal((await alerts())[0]?.occurrence_count, 2)
})

test('what was stored before the service looked, or while it was down, is found at the start', async (t) => {
  const { soc, ingest, seen } = await started(t)
  await ingest(modbus('10.1.2.5', '10.1.3.7'))
  await seen(1)
  await soc.query('DELETE FROM cps_devices')
  await soc.stop()
  const again = await startTestSoc(t, { connection: soc.connection, dataDir: soc.dataDir })
  const { seen: seenAgain } = await talking(again, await again.signIn())
  assert.equal((await seenAgain(1))[0]?.addresses[0], '10.1.3.7')
})

const REFUSED: [object, RegExp][] = [
  [{ network: '10.1.3.0', site_id: 'x', zone: 'z' }, /^network: must be a network/],
  [{ network: '10.1.3.0/33', site_id: 'x', zone: 'z' }, /^network: /],
  [{ network: '10.1.3.0/24', site_id: 'nowhere', zone: 'z' }, /^site_id: there is no site nowhere/],
  [{ network: '10.1.3.0/24', site_id: 'x' }, /^zone: /],
  [{ network: '10.1.3.0/24', site_id: 'x', zone: 'z', quiet_hours: -1 }, /^quiet_hours: /],
]
test('POST /discovery/networks refuses what is no network or no site', async (t) => {
  const { send, site } = await started(t)
  for (const [body, expected] of REFUSED) {
    const reply = await send('POST', '/discovery/networks', body)
    assert.equal(reply.status, 400, JSON.stringify(body))
    assert.match(reply.body.detail, expected)
  }
  const body = { network: '10.1.3.0/24', site_id: await site(), zone: 'z' }
  const { body: added } = await send('POST', '/discovery/networks', body)
  assert.equal((await send('POST', '/discovery/networks', body)).status, 409)
  assert.equal((await send('DELETE', `/discovery/networks/${added.id}`)).status, 200)
  assert.equal((await send('DELETE', `/discovery/networks/${added.id}`)).status, 404)
})

test('an address with an interface behind it keeps nobody else from being seen and placed', async (t) => {
  const { soc, ingest, seen, send, site, devices } = await started(t)
  await ingest(modbus('fe80::1%eth0', 'fe80::2%eth0'), modbus('10.1.2.5', '10.1.3.7'))
  const found = await seen(2)
  assert.deepEqual(found.flatMap(({ addresses }) => addresses).sort(), ['10.1.3.7', 'fe80::2'])
  // As it was kept before.
  await soc.query(
    `UPDATE cps_devices SET addresses = '{fe80::2%eth0}' WHERE addresses[1] LIKE 'f%'`,
  )
  const zone = { network: '10.1.3.0/24', site_id: await site(), zone: 'process' }
  assert.equal((await send('POST', '/discovery/networks', zone)).status, 201)
  await ingest(modbus('10.1.2.5', '10.1.3.8'), modbus('10.9.9.1', '10.9.9.2'))
  await seen(4)
  assert.equal((await devices()).filter((one) => one.zone === 'process').length, 2)
})
