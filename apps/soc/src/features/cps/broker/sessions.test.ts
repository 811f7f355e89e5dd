import assert from 'node:assert/strict'
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type TestContext, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { readConfig } from '../../../config.ts'
import { deviceCalls, startDeviceSoc } from '../../../testing/devices.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

/** A payload of Sparkplug B with whole numbers of one byte. */
const payload = (metrics: Record<string, number>) =>
  Buffer.concat(
    Object.entries(metrics).map(([name, value]) => {
      const body = [0x0a, name.length, ...Buffer.from(name), 0x20, 0x03, 0x50, value]
      return Buffer.from([0x12, body.length, ...body])
    }),
  )

const NODE = { name: 'edge 4', device_type: 'gateway', sparkplug_node: 'plant/edge 4' }
const DEATH = {
  topic: 'spBv1.0/plant/NDEATH/edge 4',
  payload: payload({ bdSeq: 1 }),
  qos: 1,
  retain: false,
} as const

/** A way to the broker whose end there can be torn off, as by a power cut behind a router. */
async function tearableLine(t: TestContext, port: number) {
  const ends: Socket[] = []
  const server = createServer((near) => {
    const far = connectSocket(port, '127.0.0.1')
    ends.push(far)
    for (const socket of [near, far]) socket.on('error', () => {})
    near.pipe(far).pipe(near)
    t.after(() => near.destroy())
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => server.close())
  return {
    port: (server.address() as AddressInfo).port,
    tear: () => {
      for (const end of ends) end.resetAndDestroy()
    },
  }
}

test('sessions of devices', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const port = Number((await soc.listenDevices({ port: 0 })).split(':').at(-1))
  const devicesOf = (t: TestContext) => deviceCalls(t, soc, as, { host: '127.0.0.1', port })
  // Each test has the edge node and what is behind it for itself.
  // Each statement on its own: the service still writes what became of the devices of the last test,
  // and two who hold several tables, or rows of one, in different order would wait for one another.
  t.beforeEach(() =>
    soc.query(`BEGIN; LOCK cps_devices IN EXCLUSIVE MODE;
    UPDATE cps_devices SET sparkplug_node = NULL; COMMIT; DELETE FROM cps_sessions; COMMIT;
    DELETE FROM cps_metrics; COMMIT; BEGIN; LOCK cps_devices IN EXCLUSIVE MODE;
    DELETE FROM cps_devices WHERE NOT managed; COMMIT`),
  )

  await t.test(
    'who comes under the client id of another device takes nothing from it',
    async (t) => {
      const { enrol, device, ask } = devicesOf(t)
      const [mine, theirs] = [await enrol(), await enrol({ name: 'pump 8' })]
      const victim = await device(theirs, { mqtt: { reconnectPeriod: 0 } })
      let isLost = false
      victim.client.once('close', () => {
        isLost = true
      })
      const thief = await device(mine, { mqtt: { clientId: theirs.deviceId } })
      const [first, second] = [await ask(mine.deviceId), await ask(theirs.deviceId)]
      await until('the answer of the one', () => thief.memory.answered.has(first.id))
      await until('the answer of the other', () => isLost || victim.memory.answered.has(second.id))
      assert.equal(isLost, false)
    },
  )

  await t.test(
    'a gateway whose line is torn off dies for all who listen, with what is behind it',
    async (t) => {
      const { enrol, read } = devicesOf(t)
      const line = await tearableLine(t, port)
      const identity = await enrol(NODE)
      const { device } = deviceCalls(t, soc, as, { host: '127.0.0.1', port: line.port })
      const gateway = await device(identity, { mqtt: { will: DEATH, reconnectPeriod: 0 } })
      await gateway.publish('spBv1.0/plant/NBIRTH/edge 4', payload({ bdSeq: 1 }))
      await gateway.publish('spBv1.0/plant/DBIRTH/edge 4/pump', payload({ speed: 1 }))
      line.tear()
      await until('the death', async () => {
        const [pump] = (await read('/cps/devices?managed=false')).items
        return pump.status === 'offline'
      })
    },
  )

  await t.test(
    'the will of a connection that is over does not make two of one device',
    async (t) => {
      const { enrol, device, read, alertsOf, ask, settled } = devicesOf(t)
      const identity = await enrol(NODE)
      const before = await device(identity, { mqtt: { clientId: 'before', will: DEATH } })
      // It was started anew, calls itself otherwise, and the old line still looks alive.
      const gateway = await device(identity, { mqtt: { clientId: 'after' }, memory: before.memory })
      await gateway.publish('spBv1.0/plant/NBIRTH/edge 4', payload({ bdSeq: 1 }))
      await gateway.publish('spBv1.0/plant/DBIRTH/edge 4/pump', payload({ speed: 1 }))
      await before.kill()
      await until('the death', async () => {
        const [pump] = (await read('/cps/devices?managed=false')).items
        return pump.status === 'offline'
      })
      await settled((await ask(identity.deviceId)).id, identity.deviceId)
      assert.deepEqual(await alertsOf('cloned'), [])
    },
  )

  await t.test('what a gateway says at once is taken in its order', async (t) => {
    const { enrol, device, read } = devicesOf(t)
    const gateway = await device(await enrol(NODE))
    const say = (kind: string, speed: number) =>
      gateway.publish(`spBv1.0/plant/${kind}/edge 4/pump`, payload({ speed }))
    await say('DBIRTH', 0)
    const [pump] = (await read('/cps/devices?managed=false')).items
    for (let speed = 1; speed <= 20; speed += 2) {
      await Promise.all([say('DBIRTH', speed), say('DDATA', speed + 1)])
      const { metrics } = await read(`/cps/devices/${pump.id}/metrics`)
      assert.deepEqual(metrics, { speed: speed + 1 })
    }
  })

  await t.test(
    'subscriptions that are made at once are all remembered, as many as a device needs',
    async (t) => {
      const { enrol, device } = devicesOf(t)
      const identity = await enrol()
      const { client } = await device(identity)
      const own = (name: string) => `devices/${identity.deviceId}/${name}`
      const remembered = async () => {
        const [row] = await soc.query<{ subscriptions: { topic: string }[] }>(
          'SELECT subscriptions FROM cps_sessions WHERE device_id = $1',
          [identity.deviceId],
        )
        return row?.subscriptions.map(({ topic }) => topic).sort()
      }
      await Promise.all(['a', 'b', 'c'].map((name) => client.subscribeAsync(own(name), { qos: 1 })))
      const all = ['a', 'attestation_request', 'b', 'c'].map(own)
      assert.deepEqual(await remembered(), all)
      const many = Array.from({ length: 100 }, (_, at) => own(`more/${at}`))
      const granted = await client.subscribeAsync([...many, '#'], { qos: 1 }).catch(() => [])
      assert.deepEqual(granted, [])
      assert.equal((await remembered())?.length, 20)
      assert.equal(client.connected, true)
    },
  )

  await t.test(
    'what a kept session has unsubscribed from stays so when it comes back',
    async (t) => {
      const { enrol, device } = devicesOf(t)
      const identity = await enrol()
      const { client } = await device(identity)
      const own = (name: string) => `devices/${identity.deviceId}/${name}`
      await client.subscribeAsync([own('a'), own('b')], { qos: 1 })
      await client.unsubscribeAsync(own('a'))
      const [row] = await soc.query<{ subscriptions: { topic: string }[] }>(
        'SELECT subscriptions FROM cps_sessions WHERE device_id = $1',
        [identity.deviceId],
      )
      const left = row?.subscriptions.map(({ topic }) => topic).sort()
      assert.deepEqual(left, ['attestation_request', 'b'].map(own))
      const many = Array.from({ length: 25 }, (_, at) => own(`more/${at}`))
      for (const topic of many) {
        const [granted] = await client.subscribeAsync(topic, { qos: 1 })
        assert.equal(granted?.qos, 1, topic)
        await client.unsubscribeAsync(topic)
      }
    },
  )

  await t.test(
    'that a device is connected is written later when the database refused it',
    async (t) => {
      const { enrol, device, read } = devicesOf(t)
      const identity = await enrol()
      await soc.query(`
    CREATE SEQUENCE hiccups;
    CREATE FUNCTION hiccup() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.status = 'online' AND nextval('hiccups') = 1 THEN RAISE EXCEPTION 'hiccup'; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER hiccup BEFORE UPDATE ON cps_devices FOR EACH ROW EXECUTE FUNCTION hiccup()`)
      await device(identity)
      const isOnline = async () =>
        (await read(`/cps/devices/${identity.deviceId}`)).status === 'online'
      await until('online', isOnline)
      const [{ last } = { last: 0 }] = await soc.query<{ last: string }>(
        'SELECT last_value AS last FROM hiccups',
      )
      assert.equal(Number(last), 2)
    },
  )

  await t.test(
    'a device stays online when another process starts on the same database',
    async (t) => {
      const { enrol, device, read } = devicesOf(t)
      const identity = await enrol()
      await device(identity)
      const isOnline = async () =>
        (await read(`/cps/devices/${identity.deviceId}`)).status === 'online'
      await until('online', isOnline)
      const other = await startTestSoc(t, { connection: soc.connection })
      await other.listenDevices({ port: 0 })
      await until('online after all', isOnline)
    },
  )

  await t.test(
    'a broker that listens on all addresses has a certificate for each of them',
    async (t) => {
      const cps = readConfig({ SOC_HOST: '0.0.0.0' }).cps
      const { enrol, port } = await startDeviceSoc(t, { cps })
      const { enrolled, keyPem } = await enrol()
      const addresses = Object.values(networkInterfaces())
        .flatMap((of) => of ?? [])
        .filter(({ family }) => family === 'IPv4')
        .map(({ address }) => address)
      for (const host of addresses) {
        const socket = connectTls({
          ...{ host, port, ca: enrolled.ca, cert: enrolled.certificate, key: keyPem },
        })
        t.after(() => socket.destroy())
        await new Promise((resolve, reject) => {
          socket.once('secureConnect', resolve)
          socket.once('error', reject)
        })
      }
    },
  )
})
