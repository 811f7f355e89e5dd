import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { deviceCalls } from '../../../testing/devices.ts'
import { sparkplug as payload } from '../../../testing/sparkplug.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

test('Sparkplug', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const port = Number((await soc.listenDevices({ port: 0 })).split(':').at(-1))
  const devicesOf = (t: TestContext) => deviceCalls(t, soc, as, { host: '127.0.0.1', port })
  // Each test has the edge node and what is behind it for itself.
  t.beforeEach(() =>
    soc.query(`UPDATE cps_devices SET sparkplug_node = NULL; DELETE FROM cps_metrics;
    DELETE FROM cps_devices WHERE NOT managed`),
  )

  await t.test(
    'Sparkplug B: births make devices known, data their last values, a death takes them off',
    async (t) => {
      const { enrol, device, read } = devicesOf(t)
      const identity = await enrol({
        name: 'edge 4',
        device_type: 'gateway',
        sparkplug_node: 'plant/edge 4',
      })
      const will = {
        topic: 'spBv1.0/plant/NDEATH/edge 4',
        payload: payload([{ name: 'bdSeq', value: 1 }]),
        qos: 1,
        retain: false,
      } as const
      const gateway = await device(identity, { mqtt: { will } })
      await gateway.publish('spBv1.0/plant/NBIRTH/edge 4', payload([{ name: 'bdSeq', value: 1 }]))
      await gateway.publish(
        'spBv1.0/plant/DBIRTH/edge 4/pump',
        payload([
          { name: 'speed', alias: 3, value: 10 },
          { name: 'heat', alias: 4, value: 20 },
        ]),
      )
      await gateway.publish('spBv1.0/plant/DDATA/edge 4/pump', payload([{ alias: 3, value: 12 }]))
      const pump = async () =>
        (await read('/cps/devices?managed=false')).items.find(
          ({ name }: { name: string }) => name === 'pump',
        )
      const known = await pump()
      assert.deepEqual(
        [known.status, known.managed, known.protocols, known.device_type],
        ['online', false, ['sparkplug_b'], 'field device'],
      )
      assert.deepEqual((await read(`/cps/devices/${known.id}/metrics`)).metrics, {
        speed: 12,
        heat: 20,
      })
      assert.deepEqual((await read(`/cps/devices/${identity.deviceId}/metrics`)).metrics, {
        bdSeq: 1,
      })
      await gateway.kill()
      await until('the death', async () => (await pump()).status === 'offline')
    },
  )

  await t.test(
    'Sparkplug B: a gateway speaks for itself alone, and an old death changes nothing',
    async (t) => {
      const { enrol, device, read } = devicesOf(t)
      const identity = await enrol({ sparkplug_node: 'plant/edge 4' })
      const gateway = await device(identity)
      await gateway.publish('spBv1.0/plant/NBIRTH/edge 4', payload([{ name: 'bdSeq', value: 2 }]))
      await gateway.publish(
        'spBv1.0/plant/DBIRTH/edge 4/pump',
        payload([{ name: 'speed', value: 1 }]),
      )
      await gateway.publish('spBv1.0/plant/NDEATH/edge 4', payload([{ name: 'bdSeq', value: 1 }]))
      await gateway.publish('spBv1.0/plant/DDATA/edge 4/pump', Buffer.from('no payload'))
      const [pump] = (await read('/cps/devices?managed=false')).items
      assert.equal(pump.status, 'online')
      const closed = new Promise((resolve) => gateway.client.once('close', () => resolve('closed')))
      gateway.client.publish('spBv1.0/plant/NBIRTH/edge 5', payload([]), { qos: 1 })
      assert.equal(await closed, 'closed')
    },
  )

  await t.test(
    'Sparkplug B: names without an end and devices without number are left alone',
    async (t) => {
      const { enrol, device, read } = devicesOf(t)
      const gateway = await device(await enrol({ sparkplug_node: 'plant/edge 4' }))
      let isLost = false
      gateway.client.once('close', () => {
        isLost = true
      })
      const birth = (name: string) => {
        const topic = `spBv1.0/plant/DBIRTH/edge 4/${name}`
        return gateway.publish(topic, payload([{ name: 'speed', value: 1 }]))
      }
      const noise = Array.from({ length: 8_000 }, (_, at) => (at * at * 7919).toString(36)).join('')
      const names = async (): Promise<string[]> =>
        (await read('/cps/devices?managed=false')).items.map(({ name }: { name: string }) => name)
      void birth(noise)
      void birth('pump')
      await until('the pump', async () => isLost || (await names()).length > 0)
      assert.deepEqual([isLost, await names()], [false, ['pump']])
      await soc.query(`INSERT INTO cps_devices (id, name, device_type, managed, created_at)
    SELECT gen_random_uuid(), 'made up ' || at, 'plc', false, now() - interval '1 day'
    FROM generate_series(2, 20000) AS at`)
      await birth('one more')
      assert.equal((await names())[0], 'pump')
    },
  )
})
